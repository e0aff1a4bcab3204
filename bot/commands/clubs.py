"""`thusfar clubs`: clubs, their books and their usage."""

from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.running import JsonOption, ScopeOption, look_over, print_json, say
from core.domain.messages import counted
from core.domain.scopes import LOCAL_SCOPE

if TYPE_CHECKING:
    from adapters.persistence.overview import ClubLine

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
_MICRO = 1_000_000


@app.callback()
def clubs() -> None:
    """Show the clubs."""


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List the clubs, most recently used first.

    Example: thusfar clubs list --json
    """
    found = look_over(lambda overview: overview.clubs())
    if as_json:
        print_json([_facts(club) for club in found])
        return
    for club in found:
        page = "no page yet" if club.page is None else f"p. {club.page}"
        reads = f"{club.title}, {page}" if club.title else "nothing"
        took = f"{counted(club.turns, 'turn')}, {counted(club.tokens, 'token')}, ${club.cost_micro_usd / _MICRO:.2f}"
        with_another = f", with {club.reads_with}" if club.reads_with else ""
        print(f"{club.scope} {club.place}: {reads}{with_another}; {counted(club.threads, 'thread')}, {took}")
    if not found:
        say("There are no clubs yet.")


@app.command()
def export(
    place: Annotated[str, typer.Argument(help="the club's place, as shown by `clubs list`")],
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Print a club's record of its current book: pages, sections, questions, answers, quotes, predictions.

    It contains nothing private. Example: thusfar clubs export 123 --for discord:9 > club.md
    """
    from core.club.progress.club_archive import archive_facts, archive_text

    title, archive = look_over(lambda overview: overview.archive(scope=scope, place=place))
    if as_json:
        print_json(archive_facts(title, archive))
    else:
        print(archive_text(title, archive), end="")


def _facts(club: "ClubLine") -> dict[str, object]:
    return {
        "scope": club.scope,
        "place": club.place,
        "title": club.title,
        "page": club.page,
        "threads": club.threads,
        "turns": club.turns,
        "tokens": club.tokens,
        "cost_usd": club.cost_micro_usd / _MICRO,
        "reads_with": club.reads_with,
        "last_used_at": club.last_used_at.isoformat(timespec="seconds") if club.last_used_at else None,
    }
