"""`thusfar ask`: ask one question at a page."""

from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.batch import BATCH, answer_lines
from bot.commands.running import BookOrPathOption, JsonOption, ScopeOption, print_json, readable_text, run
from core.domain.errors import ThusfarError
from core.domain.scopes import LOCAL_SCOPE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bot.wiring import Application
    from core.answering.ask import AskRequest, AskResponse
    from core.domain.book import Book

    _Ask = Callable[[str, int], Awaitable[AskResponse]]

_MOST_WINDOW = 10
_LONGEST_SESSION = 200
_LOCAL_PREFIX = f"{LOCAL_SCOPE}:"


def ask(
    question: Annotated[str, typer.Argument(help="The question; - reads JSON Lines from stdin.")],
    book: BookOrPathOption,
    page: Annotated[int | None, typer.Option("--page", help="The last page that has been read.")] = None,
    session: Annotated[str | None, typer.Option("--session", help="Continue the conversation with this name.")] = None,
    window: Annotated[
        int | None,
        typer.Option(
            "--window",
            min=1,
            max=_MOST_WINDOW,
            help="How many earlier turns are used; default from the settings.",
        ),
    ] = None,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Ask one question about a book, up to a page. Without --session nothing is stored.

    Example: thusfar ask "Who found the diamond?" --book moonstone --page 120

    Batch: lines such as {"id": 1, "question": "...", "page": 120} in, one line of JSON each out, as with --json;
    a line without a page uses --page.
    """
    if window is not None and session is None:
        raise typer.BadParameter(
            "it needs --session, because it limits the turns of a session", param_hint="'--window'"
        )
    name = _session_name(session, scope) if session is not None else None

    async def asking(thusfar: "Application") -> "_Ask":
        from bot.commands.importing import find_or_import

        found = await find_or_import(thusfar, book, scope=scope)
        return lambda text, at: thusfar.ask.execute(_request(readable_text(text), found, at, name, window))

    async def one(thusfar: "Application", at: int) -> "AskResponse":
        return await (await asking(thusfar))(question, at)

    async def batch(thusfar: "Application") -> None:
        await _answer_lines(await asking(thusfar), default_page=page, session=session)

    if question == BATCH:
        run(batch)
        return
    if page is None:
        raise typer.BadParameter("the last page that has been read is required", param_hint="'--page'")
    response = run(lambda thusfar: one(thusfar, page))
    if as_json:
        print_json(_as_json(response, session))
        return
    from core.domain.position import footer

    print(response.text)
    print(f"\n({footer(page)})")


async def _answer_lines(ask: "_Ask", *, default_page: int | None, session: str | None) -> None:
    async def answer(asked: "Mapping[str, object]") -> dict[str, object]:
        text, at = asked.get("question"), asked.get("page", default_page)
        if not isinstance(text, str):
            raise ThusfarError("`question` is required and must be text")
        if type(at) is not int:
            raise ThusfarError("`page` must be a whole number and is required without --page")
        return _as_json(await ask(text, at), session)

    await answer_lines(answer, example='{"id": 1, "question": "...", "page": 120}')


def _request(question: str, book: "Book", page: int, session: str | None, window: int | None) -> "AskRequest":
    from core.answering.ask import AskRequest
    from core.domain.conversation import Author

    return AskRequest(
        question=question,
        book_id=book.book_id,
        page=page,
        session_id=session,
        author=Author(member_id="local:terminal", display_name="You"),
        conversation_window=window,
    )


def _session_name(session: str, scope: str) -> str:
    name = session.removeprefix(_LOCAL_PREFIX)
    if name.startswith(("discord:", "slack:")) or scope != LOCAL_SCOPE:
        raise ThusfarError("The command line opens only local sessions, for books of the scope local.")
    if not name.strip() or len(name) > _LONGEST_SESSION or not name.isprintable():
        raise ThusfarError(f"A session's name must have 1 to {_LONGEST_SESSION} printable characters.")
    return name


def _as_json(response: "AskResponse", session: str | None) -> dict[str, object]:
    outcome = response.outcome
    return {
        "answer": outcome.text,
        "session_id": session,
        "turn_number": response.turn_number,
        "guardrail_score": response.guardrail_score,
        "sources": [
            {"start_page": source.start_page, "end_page": source.end_page, "text": source.text}
            for source in outcome.sources
        ],
        "tool_calls": [
            {"tool": call.tool, "params": call.params, "result": call.result, "iteration": call.iteration}
            for call in outcome.tool_calls
        ],
        "max_iterations_reached": outcome.max_iterations_reached,
        "blocked": [{"rule": rule, "count": count} for rule, count in sorted(outcome.blocks.items())],
        "usage": {"input_tokens": outcome.usage.input_tokens, "output_tokens": outcome.usage.output_tokens},
        "provider": outcome.provider,
        "model": outcome.model,
    }
