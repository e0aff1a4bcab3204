"""`thusfar eval understanding`: measures on labelled wordings whether messages are understood."""

from pathlib import Path

from bot.commands.running import print_json

_COLUMN = 24


def evaluate_understanding(files: list[Path], *, as_json: bool) -> None:
    """Judge every labelled line, and print the figures. Raises ThusfarError: a file is not of this form."""
    from bot.evaluation.understanding import labelled_lines, report_on

    one = report_on(labelled_lines(files))
    if as_json:
        print_json(one.as_json())
        return
    print(f"{one.lines} lines")
    for name, share in one.totals().items():
        print(f"{name.replace('_', ' '):{_COLUMN}}{'-' if share is None else f'{share:.3f}'}")
    print(f"\n{'intent':{_COLUMN}}right of lines")
    for name, each in one.by_intent.items():
        print(f"{name:{_COLUMN}}{each.right} of {each.lines}")
