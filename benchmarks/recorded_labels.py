"""What became of drafted sentences in `benchmarks.recorded`, the sheet on which they are labelled, and the figures."""

import csv
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.natural_model import key_of
from bot.evaluation.intervals import mean, share, shown

KEPT: Final = "kept"
SLIP: Final = "slip"
_LABELS: Final = ("true", "opinion", SLIP)
_COLUMNS: Final = ("conversation", "turn", "book", "page", "question", "sentence", "label", "what slips")

SheetKey = tuple[str, str, str]
"""How a sentence is known again: by conversation, turn and its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """A sentence of a draft, what became of it, and whether it is in the posted text."""

    text: str
    fate: str
    posted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What became of one question; `ended` is posted, redrafted, quoted or refused.

    `evidence` are the letters that verifiers were shown, sentences and question included.
    """

    conversation: str
    turn: str
    book: str
    page: int
    kind: str
    variant: str
    question: str
    ended: str
    text: str
    drafts: tuple[tuple[Drafted, ...], ...]
    calls: int
    tokens: int
    evidence: int

    @property
    def sentences(self) -> dict[SheetKey, Drafted]:
        """The sentences of all its drafts, each once."""
        drafted = [each for draft in self.drafts for each in draft]
        return {sheet_key(self.conversation, self.turn, each.text): each for each in reversed(drafted)}


def sheet_key(conversation: str, turn: str, sentence: str) -> SheetKey:
    """Return how a sentence is known again in a sheet."""
    return conversation, turn, key_of(sentence).strip() or sentence


def write_sheet(file: Path, turns: Sequence[Turn]) -> None:
    """Write each drafted sentence to be labelled, without its verdict; labels that are in the file already stay."""
    labelled = dict(_rows(file)) if file.is_file() else {}
    with file.open("w", encoding="utf-8", newline="") as opened:
        sheet = csv.writer(opened)
        sheet.writerow(_COLUMNS)
        for turn in turns:
            for key, each in reversed(turn.sentences.items()):
                before = labelled.get(key, {})
                told = [before.get(column, "") for column in _COLUMNS[-2:]]
                sheet.writerow([turn.conversation, turn.turn, turn.book, turn.page, turn.question, each.text, *told])


def read_labels(file: Path) -> dict[SheetKey, str]:
    """Read the labels of a sheet, as far as it is filled in. Raises ValueError for a label that is not known."""
    labels = {}
    for key, row in _rows(file):
        if label := row["label"].strip().casefold():
            if label not in _LABELS:
                raise ValueError(f"{key[0]}: a label is one of {', '.join(_LABELS)}, not {label!r}")
            labels[key] = label
    return labels


def _rows(file: Path) -> list[tuple[SheetKey, dict[str, str]]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return [(sheet_key(row["conversation"], row["turn"], row["sentence"]), row) for row in csv.DictReader(opened)]


class Figures:
    """Sums up turns, of one draw or of several: figures of several are means over draws, by answer or by sentence."""

    def __init__(self, turns: Iterable[Turn], labels: Mapping[SheetKey, str]) -> None:
        self.ended: Counter[str] = Counter()
        self.whole: defaultdict[tuple[str, ...], list[bool]] = defaultdict(list)
        self.slips: defaultdict[tuple[str, ...], list[bool]] = defaultdict(list)
        self.lost: defaultdict[tuple[str, ...], list[bool]] = defaultdict(list)
        self.lost_by: Counter[str] = Counter()
        self.calls: list[float] = []
        self.evidence: list[float] = []
        self.unlabelled: set[tuple[str, str]] = set()
        for turn in turns:
            self._add(turn, labels)

    def _add(self, turn: Turn, labels: Mapping[SheetKey, str]) -> None:
        self.ended[turn.ended] += 1
        self.calls.append(turn.calls)
        self.evidence.append(turn.evidence)
        sentences = turn.sentences
        if not sentences:
            return
        if not sentences.keys() <= labels.keys():
            self.unlabelled.add((turn.conversation, turn.turn))
            return
        slips = [key for key in sentences if labels[key] == SLIP]
        for key in slips:
            self.slips[key].append(sentences[key].posted)
        if not slips:
            answer = turn.drafts[0]
            self.whole[turn.conversation, turn.turn].append(all(each.posted for each in answer))
            self.lost_by.update(each.fate for each in answer if not each.posted)
            for each in answer:
                self.lost[sheet_key(turn.conversation, turn.turn, each.text)].append(not each.posted)

    def __str__(self) -> str:
        ended = ", ".join(f"{how} {count}" for how, count in sorted(self.ended.items()))
        draws = max(map(len, self.lost.values()), default=1)
        reasons = ", ".join(f"{fate} {count / draws:g}" for fate, count in self.lost_by.most_common()) or "none"
        unlabelled = f"; {len(self.unlabelled)} answers without all labels left out" if self.unlabelled else ""
        evidence = mean(self.evidence)
        return (
            f"{ended}; of {len(self.whole)} honest answers whole {_estimate(self.whole)}; of {len(self.slips)} slips "
            f"posted {_estimate(self.slips)}; of {len(self.lost)} sentences of honest answers lost "
            f"{_estimate(self.lost)} (by reason: {reasons}); an answer takes {shown(mean(self.calls))} calls and "
            f"{evidence.value:,.0f} [{evidence.low:,.0f}, {evidence.high:,.0f}] letters of evidence{unlabelled}"
        )


def _estimate(drawn: Mapping[tuple[str, ...], Sequence[bool]]) -> str:
    """Return a share with its interval: Wilson's for one draw, else that of the means over draws."""
    if not drawn:
        return "-"
    if all(len(each) == 1 for each in drawn.values()):
        return shown(share([each[0] for each in drawn.values()]))
    return shown(mean([statistics.fmean(each) for each in drawn.values()]))
