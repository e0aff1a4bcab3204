"""`thusfar search`: search the read pages, with one query or a batch."""

from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.batch import BATCH, answer_lines
from bot.commands.running import BookOption, JsonOption, ScopeOption, print_json, run
from core.domain.errors import ThusfarError
from core.domain.scopes import LOCAL_SCOPE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.wiring import Application
    from core.domain.passage import SearchResult

_DEFAULT_TOP_K = 5
_SHOWN_WORDS = 60


def search(
    query: Annotated[str, typer.Argument(help="What to look for; - reads JSON Lines from stdin.")],
    book: BookOption,
    page: Annotated[int | None, typer.Option("--page", help="The last page that has been read.")] = None,
    top_k: Annotated[int, typer.Option("--top-k", min=1, help="How many passages.")] = _DEFAULT_TOP_K,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Search a book up to a page.

    Example: thusfar search "the locked room" --book moonstone --page 120

    Batch: lines such as {"id": 1, "query": "...", "page": 120, "top_k": 5} in, one line of JSON each out.
    """
    if query == BATCH:
        run(lambda thusfar: _batch(thusfar, book, scope=scope, top_k=top_k))
        return
    if page is None:
        raise typer.BadParameter("the last page that has been read is required", param_hint="'--page'")
    results = run(lambda thusfar: _one(thusfar, book, query, page, scope=scope, top_k=top_k))
    if as_json:
        print_json([_as_json(result) for result in results])
        return
    from core.language.sentences import first_words

    for result in results:
        print(f"p. {result.start_page}  ({result.score:.4f})\n{first_words(result.text, _SHOWN_WORDS)}\n")
    if not results:
        print("Nothing found.")


async def _one(
    thusfar: "Application", book: str, query: str, page: int, *, scope: str, top_k: int
) -> "list[SearchResult]":
    from bot.commands.importing import find_or_import

    found = await find_or_import(thusfar, book, scope=scope)
    return await thusfar.search.execute(found.book_id, query, position=page, top_k=top_k)


async def _batch(thusfar: "Application", book: str, *, scope: str, top_k: int) -> None:
    from bot.commands.importing import find_or_import

    found = await find_or_import(thusfar, book, scope=scope)

    async def answer(asked: "Mapping[str, object]") -> dict[str, object]:
        query, page, wanted = _checked(asked, top_k)
        results = await thusfar.search.execute(found.book_id, query, position=page, top_k=wanted)
        return {"results": [_as_json(result) for result in results]}

    await answer_lines(answer, example='{"id": 1, "query": "...", "page": 120}')


def _checked(asked: "Mapping[str, object]", default_top_k: int) -> tuple[str, int, int]:
    query, page, top_k = asked.get("query"), asked.get("page"), asked.get("top_k", default_top_k)
    if not isinstance(query, str):
        raise ThusfarError("`query` is required and must be text")
    if type(page) is not int:
        raise ThusfarError("`page` is required and must be a whole number")
    if type(top_k) is not int or top_k < 1:
        raise ThusfarError("`top_k` must be a whole number from 1")
    return query, page, top_k


def _as_json(result: "SearchResult") -> dict[str, object]:
    return {
        "start_page": result.start_page,
        "end_page": result.end_page,
        "score": result.score,
        "text": result.text,
    }
