"""How often the bot answers when asked, and how often it interrupts.

Labelled threads (JSON Lines, one thread per line): who said what, and whether it asks the bot something.

A thread has `lines`; a line has `by` (`bot`, or a member's name), `text`, `mentions` (names, the bot's is `bot`),
`reply_to` (the number of another line, or null) and, for a member's line, `answer`: true, false or "either", which is
left out of all figures.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.evaluation.intervals import Estimate, share
from bot.evaluation.labelled import rows, unreadable
from core.domain.conversation import AskedAs, Line, RepliesTo
from core.understanding.understand import understand

_BOT: Final = "bot"
_MENTION: Final = re.compile(r"@Thusfar\b[,:]?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledLine:
    """A line of a thread, its number, and whether it asks the bot; None if unclear, or for the bot's own lines."""

    number: int
    line: Line
    asks: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledThread:
    """One thread, from its first line to its last."""

    thread_id: str
    lines: tuple[LabelledLine, ...]

    def labelled(self) -> list[LabelledLine]:
        """Return the members' lines with a clear label."""
        return [line for line in self.lines if line.asks is not None]

    def before(self, line: LabelledLine) -> list[Line]:
        """Return the lines before a line."""
        return [one.line for one in self.lines[: line.number]]


def labelled_threads(files: Sequence[Path]) -> list[LabelledThread]:
    """Return the threads of the files.

    Raises:
        BookError: a file cannot be read, or a line is not a thread; the sentence names it.
    """
    found = [_thread(told, where) for file in files for where, told in rows(file)]
    if not any(thread.labelled() for thread in found):
        raise unreadable("These files have no labelled line.")
    return found


def _thread(told: Mapping[str, Any], where: str) -> LabelledThread:
    try:
        lines = told["lines"]
        return LabelledThread(
            thread_id=str(told.get("id", where)),
            lines=tuple(_line(number, lines) for number in range(len(lines))),
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise unreadable(f"{where} is not a labelled thread.") from None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ListeningReport:
    """The figures of one run, by the rules alone; a share without lines is None.

    Precision and recall are the share of answered lines that asked, and of asking lines that were answered.
    `butted_in` is the share answered of the lines that asked nothing; `in_doubt` is the share of lines that a model
    would be asked about; `wrong` lists the lines that the rules get wrong.
    """

    threads: int
    lines: int
    asked: int
    precision: Estimate | None
    recall: Estimate | None
    butted_in: Estimate | None
    in_doubt: Estimate | None
    wrong: tuple[tuple[str, LabelledLine], ...]


def report(threads: Sequence[LabelledThread]) -> ListeningReport:
    """Judge every line with a clear label, using only the lines before it."""
    lines = [(thread, line) for thread in threads for line in thread.labelled()]
    judged = [(line, understand(line.line, thread.before(line)).addressed) for thread, line in lines]
    spoken = [(line.asks, found in {AskedAs.YES, AskedAs.LIKELY}) for line, found in judged]
    return ListeningReport(
        threads=len(threads),
        lines=len(lines),
        asked=sum(line.asks is True for _, line in lines),
        precision=_share(asks is True for asks, speaks in spoken if speaks),
        recall=_share(speaks for asks, speaks in spoken if asks),
        butted_in=_share(speaks for asks, speaks in spoken if not asks),
        in_doubt=_share(found.is_doubtful for _, found in judged),
        wrong=tuple(
            (thread.thread_id, line)
            for (thread, line), (asks, speaks) in zip(lines, spoken, strict=True)
            if asks != speaks
        ),
    )


def _share(hits: Iterable[bool]) -> Estimate | None:
    found = list(hits)
    return share(found) if found else None
