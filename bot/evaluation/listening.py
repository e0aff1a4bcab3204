"""How often the bot answers when asked, and how often it interrupts, compared with two simple rules.

Labelled threads (JSON Lines, one thread per line): who said what, and whether it asks the bot something.

A thread has `lines`; a line has `by` (`bot`, or a member's name), `text`, `mentions` (names, the bot's is `bot`),
`reply_to` (the number of another line, or null) and, for a member's line, `answer`: true, false or "either", which is
left out of all figures.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bot.evaluation.intervals import Estimate, share
from core.domain.conversation import AskedAs, Line, RepliesTo
from core.domain.errors import ThusfarError
from core.understanding.understand import understand

MODEL_ERRS: Final = 0.1
"""The error rate of the simulated model that decides doubtful lines."""

_QUESTION_WORD = re.compile(r"\b(?:who|whose|whom|what|which|when|where|why|how)\b", re.IGNORECASE)
_BEGINS_WITH_MENTION = re.compile(r"^\W*@\w")
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
        ThusfarError: a file cannot be read, or a line is not a thread; the sentence names it.
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
        raise ThusfarError("These files have no labelled line.")
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
        raise ThusfarError(f"{where} is not a labelled thread.") from None


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
class ListeningCounts:
    """Precision and recall: the share of answered lines that asked, and of asking lines that were answered.

    `butted_in` is the share answered of the lines that asked nothing.
    """

    precision: float
    recall: float
    butted_in: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The same with intervals; None without lines."""

    precision: Estimate | None
    recall: Estimate | None
    butted_in: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListeningReport:
    """The figures of one run. `settled` are those with a model that decides doubtful lines and errs in a tenth.

    `in_doubt` is the share of lines that such a model is asked about. `yardsticks` are other rules, on the same lines;
    `wrong` lists the lines that the rules alone get wrong.
    """

    threads: int
    lines: int
    asked: int
    rules: Measured
    settled: ListeningCounts
    in_doubt: Estimate
    yardsticks: dict[str, Measured]
    wrong: tuple[tuple[str, LabelledLine], ...]


def report(threads: Sequence[LabelledThread]) -> ListeningReport:
    """Judge every line with a clear label, using only the lines before it."""
    lines = [(thread, line) for thread in threads for line in thread.labelled()]
    asks = np.array([line.asks for _, line in lines], dtype=np.bool_)
    judged = [understand(line.line, thread.before(line)).addressed for thread, line in lines]
    speaks = np.array([one in {AskedAs.YES, AskedAs.LIKELY} for one in judged])
    doubtful = np.array([one.is_doubtful for one in judged])
    sure = np.array([one is AskedAs.YES for one in judged])
    return ListeningReport(
        threads=len(threads),
        lines=len(lines),
        asked=int(asks.sum()),
        rules=_measured(asks, speaks),
        settled=settled(asks, sure, doubtful, errs=MODEL_ERRS),
        in_doubt=share(doubtful.tolist()),
        yardsticks={
            name: _measured(asks, np.array([rule(line.line) for _, line in lines]))
            for name, rule in _YARDSTICKS.items()
        },
        wrong=tuple(
            (thread.thread_id, line)
            for (thread, line), speaking in zip(lines, speaks, strict=True)
            if speaking != line.asks
        ),
    )


def counted(asks: NDArray[np.bool_], speaks: NDArray[np.bool_]) -> ListeningCounts:
    """Return the shares of lines that were rightly and wrongly answered."""
    return settled(asks, speaks, np.zeros(len(asks), dtype=np.bool_), errs=0.0)


def settled(
    asks: NDArray[np.bool_], sure: NDArray[np.bool_], doubtful: NDArray[np.bool_], *, errs: float
) -> ListeningCounts:
    """Return the expected shares if a model with this error rate decides doubtful lines."""
    right = float((sure & asks).sum() + (1 - errs) * (doubtful & asks).sum())
    wrong = float((sure & ~asks).sum() + errs * (doubtful & ~asks).sum())
    return ListeningCounts(
        precision=right / (right + wrong) if right + wrong else 0.0,
        recall=right / float(asks.sum()) if asks.any() else 0.0,
        butted_in=wrong / float((~asks).sum()) if (~asks).any() else 0.0,
    )


def _measured(asks: NDArray[np.bool_], speaks: NDArray[np.bool_]) -> Measured:
    return Measured(precision=_share(asks[speaks]), recall=_share(speaks[asks]), butted_in=_share(speaks[~asks]))


def _share(hits: NDArray[np.bool_]) -> Estimate | None:
    return share(hits.tolist()) if len(hits) else None


def _every_line(line: Line) -> bool:
    """Baseline: answer unless another person is addressed first or replied to."""
    if line.mentions_bot or line.replies_to is RepliesTo.BOT:
        return True
    return line.replies_to is not RepliesTo.MEMBER and not (
        line.mentions_member and _BEGINS_WITH_MENTION.match(line.text)
    )


def _mark_or_question_word(line: Line) -> bool:
    """Baseline: answer a question mark or a question word, unless someone else is named."""
    if line.mentions_bot or line.replies_to is RepliesTo.BOT:
        return True
    asks = "?" in line.text or _QUESTION_WORD.search(line.text) is not None
    return asks and not line.mentions_member and line.replies_to is not RepliesTo.MEMBER


_YARDSTICKS: Final[dict[str, Callable[[Line], bool]]] = {
    "every line": _every_line,
    "mark or question word": _mark_or_question_word,
}
