"""Labelled threads (JSON Lines, one thread a line): who said what, and whether the bot is asked something by it.

A thread has `lines`; a line has `by` (`bot`, or a member's name), `text`, `mentions` (names, the bot's is `bot`),
`reply_to` (the number of another line, or null) and, where a member says it, `answer`: true, false or "either", which
is left out of all figures.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.domain.conversation import Line, RepliesTo
from core.domain.errors import ThusfarError

_BOT: Final = "bot"
_MENTION: Final = re.compile(r"@Thusfar\b[,:]?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledLine:
    """A line of a thread, its number in it, and whether it asks the bot; None where that is open, or of the bot's."""

    number: int
    line: Line
    asks: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledThread:
    """One thread, from its first line to its last."""

    thread_id: str
    lines: tuple[LabelledLine, ...]

    def labelled(self) -> list[LabelledLine]:
        """Return the lines of members with a plain label."""
        return [line for line in self.lines if line.asks is not None]

    def before(self, line: LabelledLine) -> list[Line]:
        """Return what was said before a line."""
        return [one.line for one in self.lines[: line.number]]


def labelled_threads(files: Sequence[Path]) -> list[LabelledThread]:
    """Return the threads of the files.

    Raises:
        ThusfarError: a file cannot be read, or a line of it is no thread; one sentence that names it.
    """
    found = []
    for file in files:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise ThusfarError(f"{file} cannot be read.") from None
        for number, row in enumerate(text.splitlines(), start=1):
            if row.strip():
                found.append(_thread(row, f"{file}, line {number}"))
    if not any(thread.labelled() for thread in found):
        raise ThusfarError("There is no labelled line in these files.")
    return found


def _thread(row: str, where: str) -> LabelledThread:
    try:
        told = json.loads(row)
        lines = told["lines"]
        return LabelledThread(
            thread_id=str(told.get("id", where)),
            lines=tuple(_line(number, lines) for number in range(len(lines))),
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise ThusfarError(f"{where} is no labelled thread.") from None


def _line(number: int, lines: Sequence[Mapping[str, Any]]) -> LabelledLine:
    said = lines[number]
    by, mentions = str(said["by"]), [str(one) for one in said.get("mentions") or ()]
    is_bot = by == _BOT
    line = Line(
        text=_MENTION.sub("", str(said["text"])).strip(),
        author="" if is_bot else by,
        is_bot=is_bot,
        mentions_bot=_BOT in mentions,
        mentions_member=any(one != _BOT for one in mentions),
        replies_to=_replies_to(by, said.get("reply_to"), lines),
    )
    label = said.get("answer")
    return LabelledLine(number=number, line=line, asks=label if isinstance(label, bool) and not is_bot else None)


def _replies_to(by: str, reply_to: int | None, lines: Sequence[Mapping[str, Any]]) -> RepliesTo:
    if reply_to is None:
        return RepliesTo.NOBODY
    author = str(lines[reply_to]["by"])
    if author == _BOT:
        return RepliesTo.BOT
    return RepliesTo.NOBODY if author == by else RepliesTo.MEMBER
