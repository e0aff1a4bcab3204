"""`thusfar guard`: the spoiler guard's verdict on a text at a page, one or a batch. For operators: it shows reasons."""

from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.batch import BATCH, answer_lines
from bot.commands.running import BookOption, JsonOption, ScopeOption, print_json, readable_text, run
from core.domain.errors import ThusfarError
from core.domain.scopes import LOCAL_SCOPE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.wiring import Application
    from core.answering.verified_guard import VerifiedGuard
    from core.domain.verdict import Judgement
    from core.guard.guard import SpoilerGuard

_EVIDENCE_CHARACTERS = 100


def guard(
    text: Annotated[str, typer.Argument(help="The text to check; - reads JSON Lines from stdin.")],
    book: BookOption,
    page: Annotated[int | None, typer.Option("--page", help="The last page that has been read.")] = None,
    scope: ScopeOption = LOCAL_SCOPE,
    verify: Annotated[
        bool, typer.Option("--verify", help="Let the model check doubtful sentences against read passages.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Say whether a text reveals unread pages, and why. The reasons are spoilers, for operators only.

    Example: thusfar guard "The butler did it." --book moonstone --page 120

    Batch: lines such as {"id": 1, "text": "...", "page": 120} in (a line without a page uses --page), one line of
    JSON each out.
    """
    if text == BATCH:
        run(lambda thusfar: _batch(thusfar, book, page, scope=scope, verify=verify))
        return
    if page is None:
        raise typer.BadParameter("the last page that has been read is required", param_hint="'--page'")
    judgement = run(lambda thusfar: _one(thusfar, book, readable_text(text), page, scope=scope, verify=verify))
    if as_json:
        print_json(_as_json(judgement))
        return
    print(f"{'spoiler' if judgement.leaks else 'safe'}  ({judgement.score:.2f})")
    for sentence in judgement.sentences:
        print(f"  {'leaks' if sentence.leaks else 'ok':6}{sentence.score:.2f}  {sentence.text}")
        for reason in sentence.reasons:
            where = f"p. {reason.page}" if reason.page is not None else "no page"
            print(f"        {reason.kind} ({where}): {reason.evidence[:_EVIDENCE_CHARACTERS]}")


async def _one(thusfar: "Application", name: str, text: str, page: int, *, scope: str, verify: bool) -> "Judgement":
    from bot.commands.importing import find_or_import

    guard = await _guard(thusfar, verify=verify)
    book = await find_or_import(thusfar, name, scope=scope)
    return await guard.judge(text, book=book, position=page)


async def _guard(thusfar: "Application", *, verify: bool) -> "SpoilerGuard | VerifiedGuard":
    """Return the judge; a missing model is reported before anything is judged."""
    if not verify:
        return thusfar.guard
    if thusfar.verified_guard is None or thusfar.model is None:
        raise ThusfarError("--verify needs a model, but none is set. Set a key or THUSFAR_PROVIDER.")
    await thusfar.model.check()
    return thusfar.verified_guard


async def _batch(thusfar: "Application", name: str, page: int | None, *, scope: str, verify: bool) -> None:
    from bot.commands.importing import find_or_import

    guard = await _guard(thusfar, verify=verify)
    book = await find_or_import(thusfar, name, scope=scope)

    async def answer(given: "Mapping[str, object]") -> dict[str, object]:
        text, at_page = _checked(given, page)
        return _as_json(await guard.judge(text, book=book, position=at_page))

    await answer_lines(answer, example='{"id": 1, "text": "...", "page": 120}')


def _checked(given: "Mapping[str, object]", default_page: int | None) -> tuple[str, int]:
    text, page = given.get("text"), given.get("page", default_page)
    if not isinstance(text, str):
        raise ThusfarError("`text` is required and must be text")
    if type(page) is not int:
        raise ThusfarError("`page` must be a whole number and is required here or as --page")
    return text, page


def _as_json(judgement: "Judgement") -> dict[str, object]:
    return {
        "verdict": "spoiler" if judgement.leaks else "safe",
        "reasons": [
            {"kind": reason.kind, "page": reason.page, "evidence": reason.evidence}
            for sentence in judgement.sentences
            if sentence.leaks
            for reason in sentence.reasons
        ],
        "score": round(judgement.score, 4),
    }
