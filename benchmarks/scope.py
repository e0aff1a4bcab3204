"""How well off-topic messages are told from the club's: 100 written messages (fixtures/scope), half of them off-topic.

    python -m benchmarks.scope

First the rules alone, then what a search of the read pages adds, then a judge in the grey band that never errs: what
a model could add at most. Without a model the grey band is answered. The rules were mended once after the first figures
(precision 0.87, recall 0.40, 3 of 50 in scope turned away), so that later figures are not those of unseen messages.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.labelled import ROOT, SAMPLE, throwaway_house
from core.understanding.scope import ScopeVerdict, by_passages, by_rules

_MESSAGES = ROOT / "fixtures" / "scope" / "messages.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What a member writes at a page; `after` is the message before it, if any."""

    id: str
    text: str
    off_topic: bool
    page: int
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A message with its verdict, and whether the rules alone gave it."""

    message: Message
    verdict: ScopeVerdict
    ruled: bool

    @property
    def turned_away(self) -> bool:
        """Whether it gets the short reply where no model is asked."""
        return not self.verdict.is_in and not self.verdict.is_grey

    @property
    def turned_away_at_best(self) -> bool:
        """The same, with a judge in the grey band that never errs."""
        return self.message.off_topic if self.verdict.is_grey else self.turned_away


def read_messages() -> list[Message]:
    """Return the written messages."""
    return [Message(**json.loads(line)) for line in _MESSAGES.read_text(encoding="utf-8").splitlines()]


async def judge_all(messages: Sequence[Message]) -> list[Judged]:
    """Judge them as a house without a model does, over the sample novel."""
    meta = json.loads((SAMPLE / "meta.json").read_text(encoding="utf-8"))
    judged = []
    async with throwaway_house() as house:
        book = (
            await house.library.add(SAMPLE / "novel.txt", scope="local", title=meta["title"], author=meta["author"])
        ).book
        for message in messages:
            verdict = by_rules(
                message.text, known=f"{book.title} {book.author or ''}", goes_on=message.after is not None
            )
            ruled = verdict is not None
            if verdict is None:
                passages = await house.search.execute(book.book_id, message.text, position=message.page)
                verdict = by_passages(message.text, passages)
            judged.append(Judged(message=message, verdict=verdict, ruled=ruled))
    return judged


def precision_and_recall(judged: Sequence[Judged], turned_away: Callable[[Judged], bool]) -> tuple[float, float]:
    """Return both for off-topic: of those turned away, the share that is; of those that are, the share turned away."""
    away = [each for each in judged if turned_away(each)]
    right = sum(each.message.off_topic for each in away)
    return right / max(len(away), 1), right / sum(each.message.off_topic for each in judged)


def main() -> int:
    judged = asyncio.run(judge_all(read_messages()))
    for name, turned_away in (
        ("the rules alone", lambda each: each.ruled and each.turned_away),
        ("rules and search, the grey band answered", lambda each: each.turned_away),
        ("and a judge in the grey band that never errs", lambda each: each.turned_away_at_best),
    ):
        precision, recall = precision_and_recall(judged, turned_away)
        print(f"{name}: off-topic precision {precision:.2f}, recall {recall:.2f}")
    for off_topic in (False, True):
        side = [each for each in judged if each.message.off_topic is off_topic]
        print(
            f"{'off-topic' if off_topic else 'in scope'}: {sum(each.turned_away for each in side)} turned away, "
            f"{sum(each.verdict.is_grey for each in side)} grey, {sum(each.verdict.is_in for each in side)} in scope; "
            f"{sum(each.ruled for each in side)} by the rules"
        )
    for each in judged:
        if each.verdict.is_grey or each.turned_away is not each.message.off_topic:
            kind = "grey" if each.verdict.is_grey else "MISS"
            print(f"{kind} {each.message.id} {each.verdict.score:3} {each.verdict.reasoning}: {each.message.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
