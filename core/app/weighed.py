"""A draft weighed where no verifier is: by rules and score, and what is doubtful by its citation too."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from core.agent.citations import cited_pages
from core.app.guard_findings import Looked
from core.domain.question import Question
from core.domain.verdict import Verdict
from core.text.small_talk import is_small_talk

CITATION: Final = "citation"
UNSUPPORTED: Final = "unsupported"
UNGROUNDED: Final = "ungrounded"
UNVERIFIED: Final = "unverified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A draft with what was found of it: which sentences fall and why, by rule, and what each that stays is."""

    fallen: Collection[int]
    verdicts: Sequence[Verdict]
    rules: dict[str, int]
    verifier_calls: int = 0


def weighed_by_score(looked: Sequence[Looked], question: Question) -> Weighed:
    """Weigh a draft of which nobody can settle a doubt.

    One in which no sentence rests on read text in words of its own falls whole: one that only says that nothing can be
    said, as what leaks does, so that the two look alike; and a quotation, which may answer by chance.
    """
    needs_pages = not is_small_talk(question.text)
    found = [_rules(each, question, needs_pages=needs_pages) for each in looked]
    fallen = {at for at, rules in enumerate(found) if rules}
    if any(each.is_unreadable for each in looked):
        fallen = set(range(len(looked)))
    verdicts = list(map(_stands_as, looked))
    if needs_pages and not fallen and Verdict.SUPPORTED not in verdicts:
        return Weighed(fallen=range(len(looked)), verdicts=[Verdict.NOT] * len(looked), rules={UNGROUNDED: 1})
    return Weighed(fallen=fallen, verdicts=verdicts, rules=dict(Counter(chain.from_iterable(found))))


def unread_citations(looked: Looked, question: Question) -> list[str]:
    """Return a rule for each unread page that a sentence cites."""
    ahead = [page for page in cited_pages(looked.said.text) if page > (question.position or 0)]
    return [CITATION] * len(ahead)


def _rules(looked: Looked, question: Question, *, needs_pages: bool) -> list[str]:
    found = looked.score_rules + unread_citations(looked, question)
    return found or ([UNSUPPORTED] if looked.falls_alone(needs_pages=needs_pages) else [])


def _stands_as(looked: Looked) -> Verdict:
    is_told = looked.rests_on_pages and not (looked.is_bare or looked.is_fixed)
    return Verdict.SUPPORTED if is_told else Verdict.TALK
