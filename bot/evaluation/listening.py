"""How often the bot speaks when asked, and how often it butts in, beside two plain rules on the same lines."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.evaluation.intervals import Estimate, share
from bot.evaluation.listening_labels import LabelledLine, LabelledThread
from core.domain.conversation import AskedAs, Line, RepliesTo
from core.understanding.listening import judge

MODEL_ERRS: Final = 0.1
"""How often the scripted model that settles doubt is wrong."""

_QUESTION_WORD = re.compile(r"\b(?:who|whose|whom|what|which|when|where|why|how)\b", re.IGNORECASE)
_BEGINS_WITH_MENTION = re.compile(r"^\W*@\w")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListeningCounts:
    """Of the lines that were spoken to, the share that asked; of those that asked, the share that was spoken to.

    `butted_in` is the share spoken to of the lines that asked nothing.
    """

    precision: float
    recall: float
    butted_in: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The same with intervals; None where there is no line to take the share of."""

    precision: Estimate | None
    recall: Estimate | None
    butted_in: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListeningReport:
    """The figures of one run. `settled` are those with a model that settles doubt and errs in a tenth of it.

    `in_doubt` is the share of lines that such a model is asked about. `yardsticks` are other rules, on the same lines;
    `wrong` names the lines that the rules alone get wrong.
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
    """Judge every line with a plain label by what stands before it, and nothing else."""
    lines = [(thread, line) for thread in threads for line in thread.labelled()]
    asks = np.array([line.asks for _, line in lines], dtype=np.bool_)
    judged = [judge(line.line, thread.before(line)).asked for thread, line in lines]
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
    """Return the shares of lines that were rightly and wrongly spoken to."""
    return settled(asks, speaks, np.zeros(len(asks), dtype=np.bool_), errs=0.0)


def settled(
    asks: NDArray[np.bool_], sure: NDArray[np.bool_], doubtful: NDArray[np.bool_], *, errs: float
) -> ListeningCounts:
    """Return the expected shares where a model that errs so often settles what is in doubt."""
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
    """What Thusfar did before it had rules: speak, unless another human was addressed first, or replied to."""
    if line.mentions_bot or line.replies_to is RepliesTo.BOT:
        return True
    return line.replies_to is not RepliesTo.MEMBER and not (
        line.mentions_member and _BEGINS_WITH_MENTION.match(line.text)
    )


def _mark_or_question_word(line: Line) -> bool:
    """Speak to a question mark or a question word, where nobody else is named."""
    if line.mentions_bot or line.replies_to is RepliesTo.BOT:
        return True
    asks = "?" in line.text or _QUESTION_WORD.search(line.text) is not None
    return asks and not line.mentions_member and line.replies_to is not RepliesTo.MEMBER


_YARDSTICKS: Final[dict[str, Callable[[Line], bool]]] = {
    "every line": _every_line,
    "mark or question word": _mark_or_question_word,
}
