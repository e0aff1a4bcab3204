"""`thusfar eval listening`: measure on labelled threads whether the bot answers when asked."""

from pathlib import Path

from bot.commands.running import print_json
from bot.evaluation.intervals import numbers, shown
from bot.evaluation.listening import labelled_threads, report


def evaluate_listening(files: list[Path], *, as_json: bool) -> None:
    """Judge every labelled line, and print the figures. Raises BookError: a file has another format."""
    one = report(labelled_threads(files))
    figures = {name: getattr(one, name) for name in ("precision", "recall", "butted_in", "in_doubt")}
    if not as_json:
        print(f"{one.lines} lines of {one.threads} threads, {one.asked} for the bot")
        for name, figure in figures.items():
            print(f"{name.replace('_', ' '):12}{shown(figure)}")
        return
    wrong = [
        {"thread": thread, "line": line.number, "answer": line.asks, "text": line.line.text}
        for thread, line in one.wrong
    ]
    totals = {"threads": one.threads, "lines": one.lines, "asked": one.asked}
    print_json(totals | {name: numbers(figure) for name, figure in figures.items()} | {"wrong": wrong})
