"""`thusfar turns`: unfinished messages and commands, without members' words, and reported answers."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.running import JsonOption, look_over, print_json, say
from core.domain.messages import counted

if TYPE_CHECKING:
    from adapters.persistence.overview import Overview, UndoneTurn

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
IdArgument = Annotated[int, typer.Argument(help="The number shown by `thusfar turns list`.", show_default=False)]


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List unfinished messages and commands, oldest first.

    Example: thusfar turns list
    """
    found = look_over(lambda overview: overview.undone())
    if as_json:
        print_json([_facts(turn) for turn in found])
        return
    for turn in found:
        print(_line(turn))
    if not found:
        say("Nothing is unfinished.")


@app.command()
def show(turn: IdArgument, as_json: JsonOption = False) -> None:
    """Show the state of one of them.

    Example: thusfar turns show 17
    """
    found = look_over(lambda overview: overview.show(turn))
    if as_json:
        print_json(_facts(found))
    else:
        for name, value in _facts(found).items():
            print(f"{name}: {value}")


@app.command()
def retry(turn: IdArgument, as_json: JsonOption = False) -> None:
    """Process it again, whatever its result was: at once if `thusfar serve` runs, else at its next start.

    Example: thusfar turns retry 17
    """
    _change(turn, lambda overview: overview.retry(turn), "`thusfar serve` will process it.", as_json)


@app.command()
def drop(turn: IdArgument, as_json: JsonOption = False) -> None:
    """Leave it unanswered.

    Example: thusfar turns drop 17
    """
    _change(turn, lambda overview: overview.drop(turn), "It stays unanswered.", as_json)


@app.command()
def export(
    spoilers: Annotated[bool, typer.Option("--spoilers", help="The answers that members called spoilers.")] = False,
) -> None:
    """Write labelled cases as JSON Lines for `thusfar guard -`. They contain members' questions and book text.

    Example: thusfar turns export --spoilers > spoilers.jsonl
    """
    if not spoilers:
        raise typer.BadParameter("say what to export", param_hint="'--spoilers'")
    from core.guard.citations import cited_pages
    from core.guard.draft import draft_sentences

    for case in look_over(lambda overview: overview.reported(cited_pages)):
        verdicts = case.pop("verdicts")
        said = [each.text for each in draft_sentences(case["text"])]
        if len(verdicts) != len(said):
            verdicts = [None] * len(said)
        sentences = [{"text": text, "verdict": verdict} for text, verdict in zip(said, verdicts, strict=True)]
        print_json({**case, "sentences": sentences})


def _change(turn: int, change: "Callable[[Overview], Awaitable[None]]", done: str, as_json: bool) -> None:
    look_over(change)
    if as_json:
        print_json({"turn": turn})
    else:
        print(done)


def _facts(turn: "UndoneTurn") -> dict[str, object]:
    return {
        "turn": turn.event_id,
        "platform": turn.platform,
        "place": turn.place,
        "message": turn.message_id,
        "state": turn.state.value,
        "attempts": turn.attempts,
        "received_at": turn.received_at.isoformat(timespec="seconds"),
        "failed": turn.failed,
    }


def _line(turn: "UndoneTurn") -> str:
    facts = _facts(turn)
    told = ", failure not yet reported" if turn.failed else ""
    return (
        f"{turn.event_id}  {facts['received_at']}  {turn.platform} {turn.place}/{turn.message_id}: "
        f"{turn.state.value}, {counted(turn.attempts, 'attempt')}{told}"
    )
