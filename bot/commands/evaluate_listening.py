"""`thusfar eval listening`: measure on labelled threads whether the bot answers when asked."""

from pathlib import Path
from typing import TYPE_CHECKING

from bot.commands.running import print_json

if TYPE_CHECKING:
    from bot.evaluation.intervals import Estimate
    from bot.evaluation.listening import ListeningCounts, ListeningReport, Measured

_COLUMN = 44
_WIDTH = 22


def evaluate_listening(files: list[Path], *, as_json: bool) -> None:
    """Judge every labelled line, and print the figures. Raises ThusfarError if a file has another format."""
    from bot.evaluation.listening import labelled_threads, report

    one = report(labelled_threads(files))
    if as_json:
        print_json(_as_json(one))
    else:
        _print(one)


def _as_json(one: "ListeningReport") -> dict[str, object]:
    return {
        "threads": one.threads,
        "lines": one.lines,
        "asked": one.asked,
        "rules": _measured(one.rules),
        "with_model": _counted(one.settled),
        "in_doubt": _numbers(one.in_doubt),
        "yardsticks": {name: _measured(figures) for name, figures in one.yardsticks.items()},
        "wrong": [
            {"thread": thread, "line": line.number, "answer": line.asks, "text": line.line.text}
            for thread, line in one.wrong
        ],
    }


def _measured(figures: "Measured") -> dict[str, object]:
    return {
        "precision": _numbers(figures.precision),
        "recall": _numbers(figures.recall),
        "butted_in": _numbers(figures.butted_in),
    }


def _counted(figures: "ListeningCounts") -> dict[str, object]:
    return {
        "precision": {"value": round(figures.precision, 4)},
        "recall": {"value": round(figures.recall, 4)},
        "butted_in": {"value": round(figures.butted_in, 4)},
    }


def _numbers(figure: "Estimate | None") -> dict[str, float] | None:
    if figure is None:
        return None
    return {"value": round(figure.value, 4), "low": round(figure.low, 4), "high": round(figure.high, 4)}


def _print(one: "ListeningReport") -> None:
    print(f"{one.lines} lines of {one.threads} threads, {one.asked} for the bot")
    print(f"{'':{_COLUMN}}{'precision':>{_WIDTH}}{'recall':>{_WIDTH}}{'interrupted':>{_WIDTH}}")
    _row("Thusfar, by rules", one.rules)
    settled = one.settled
    shares = (settled.precision, settled.recall, settled.butted_in)
    name = f"Thusfar, a model deciding doubt ({one.in_doubt.value:.0%})"
    print(f"{name:{_COLUMN}}{''.join(f'{share:>{_WIDTH}.2f}' for share in shares)}")
    for yardstick, figures in one.yardsticks.items():
        _row(yardstick, figures)


def _row(name: str, figures: "Measured") -> None:
    shares = (figures.precision, figures.recall, figures.butted_in)
    print(f"{name:{_COLUMN}}{''.join(f'{_shown(share):>{_WIDTH}}' for share in shares)}")


def _shown(figure: "Estimate | None") -> str:
    return "-" if figure is None else f"{figure.value:.2f} [{figure.low:.2f}, {figure.high:.2f}]"
