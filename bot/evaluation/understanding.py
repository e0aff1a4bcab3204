"""How well messages are understood, on labelled wordings: who they are for, what is wanted, what they name.

Files are JSON Lines, a message a line: `text`, `where` (`mention`, `thread`, `dm`), `addressed` (`yes`, `no`,
`maybe`), `intent`, `slots`, `in_scope`, and `before`, the last two lines ({who, text}; who is `bot` or a name).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.evaluation.labelled import rows, unreadable
from core.domain.conversation import AskedAs, Line
from core.domain.understanding import Intent, Understanding
from core.understanding.classifier import Classifier
from core.understanding.slots import plain
from core.understanding.understand import understand

_BOT: Final = "bot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A message with what it means."""

    line: Line
    before: tuple[Line, ...]
    direct: bool
    addressed: str
    intent: Intent
    slots: Mapping[str, Any]
    in_scope: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentShare:
    """How many lines want something, and of how many that was found."""

    lines: int
    right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnderstandingReport:
    """Shares from 0 to 1; None where there is no line to take the share of.

    `intent`, `in_scope` and `slots` are of lines that are, or may be, for the bot; `slots` is the F1 of what is named.
    `left_alone` is the share of lines for members that the bot does not take up.
    """

    lines: int
    intent: float | None
    addressed_precision: float | None
    addressed_recall: float | None
    left_alone: float | None
    in_scope: float | None
    slots: float | None
    by_intent: Mapping[str, IntentShare]

    def totals(self) -> dict[str, float | None]:
        """Return the shares over all lines, by name."""
        return {name: getattr(self, name) for name in _TOTALS}

    def as_json(self) -> dict[str, Any]:
        """Return the report as `--json` prints it."""
        by_intent = {name: {"lines": each.lines, "right": each.right} for name, each in self.by_intent.items()}
        return {"total": {"lines": self.lines, **self.totals()}, "by_intent": by_intent}


_TOTALS: Final = ("intent", "addressed_precision", "addressed_recall", "left_alone", "in_scope", "slots")


def labelled_lines(files: Sequence[Path]) -> list[Labelled]:
    """Return the lines of the files.

    Raises:
        BookError: a file cannot be read, or a line of it has no such form; one sentence that names it.
    """
    found = [_labelled(told, where) for file in files for where, told in rows(file)]
    if not found:
        raise unreadable("There is no line in these files.")
    return found


def _labelled(told: Mapping[str, Any], where: str) -> Labelled:
    try:
        return Labelled(
            line=Line(text=str(told["text"]), mentions_bot=told["where"] == "mention"),
            before=tuple(
                Line(
                    text=str(one["text"]),
                    author="" if one["who"] == _BOT else str(one["who"]),
                    is_bot=one["who"] == _BOT,
                )
                for one in told.get("before") or ()
            ),
            direct=told["where"] == "dm",
            addressed=str(told["addressed"]),
            intent=Intent(told["intent"]),
            slots=dict(told.get("slots") or {}),
            in_scope=bool(told.get("in_scope", True)),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise unreadable(f"{where} is no labelled wording: it needs text, where, addressed and intent.") from None


def report_on(lines: Sequence[Labelled], *, known: Classifier | None = None) -> UnderstandingReport:
    """Return how well lines are understood, by the model that ships or another."""
    pairs = [(each, understand(each.line, each.before, direct=each.direct, known=known)) for each in lines]
    asked = [(each, found) for each, found in pairs if each.addressed != "no"]
    spoken = [each.addressed == "yes" for each, found in pairs if each.addressed != "maybe" and _is_taken(found)]
    meant = [_is_taken(found) for each, found in pairs if each.addressed == "yes"]
    return UnderstandingReport(
        lines=len(lines),
        intent=_share(each.intent is found.intent for each, found in asked),
        addressed_precision=_share(spoken),
        addressed_recall=_share(meant),
        left_alone=_share(not _is_taken(found) for each, found in pairs if each.addressed == "no"),
        in_scope=_share(each.in_scope is found.in_scope for each, found in asked),
        slots=_of_slots(asked),
        by_intent={
            intent.value: IntentShare(
                lines=sum(each.intent is intent for each, _ in asked),
                right=sum(each.intent is intent is found.intent for each, found in asked),
            )
            for intent in Intent
            if any(each.intent is intent for each, _ in asked)
        },
    )


def _is_taken(found: Understanding) -> bool:
    """Whether the bot takes a line up without a model that settles doubt."""
    return found.addressed in {AskedAs.YES, AskedAs.LIKELY}


def _share(of: Iterable[bool]) -> float | None:
    values = list(of)
    return sum(values) / len(values) if values else None


def _of_slots(asked: Sequence[tuple[Labelled, Understanding]]) -> float | None:
    """Return the F1 of slots: of those said and those found, how many agree."""
    agreed = said = found = 0
    for each, understood in asked:
        of_label = {(slot, _folded(value)) for slot, value in each.slots.items()}
        of_line = {
            (slot, _folded(value))
            for slot in ("name", "other_name", "word", "quote", "member", "date", "place", "page", "chapter", "part")
            if (value := getattr(understood.slots, slot)) not in {"", None}
        }
        if understood.slots.unit:
            of_line |= {("unit", understood.slots.unit), ("amount", _folded(understood.slots.amount))}
        agreed, said, found = agreed + len(of_label & of_line), said + len(of_label), found + len(of_line)
    return 2 * agreed / (said + found) if said + found else None


def _folded(value: object) -> str:
    if isinstance(value, (int, float)):
        return f"{float(value):.1f}"
    return plain(str(value).replace("’", "'")).casefold()
