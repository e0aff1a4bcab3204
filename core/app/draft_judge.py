"""Decides what of a draft may be posted: by what is certain, then by the verifier, or by the score without one.

Sentence by sentence: what fails falls, and the rest stands where it still reads and answers (`what_stands`).
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from core.agent.citations import CitedSentence, cited_pages
from core.agent.draft_sentences import DraftSentence, draft_sentences
from core.agent.verifier import CALLS
from core.app.evidence import texts_of
from core.app.guard_findings import GuardFindings, Looked
from core.app.verifying import Verifying
from core.app.weighed import UNGROUNDED, UNVERIFIED, Weighed, weighed_by_score
from core.app.what_stands import answers, falling_with, reads_without, without
from core.domain.errors import LLMError
from core.domain.off_loop import off_loop
from core.domain.question import Question
from core.domain.verdict import Verdict
from core.domain.words import CUT_SHORT
from core.ports.books import BookRepository
from core.text.small_talk import is_small_talk

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A text that somebody wants to post, and the question that it answers."""

    text: str
    question: Question


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is decided of a draft: the text that may be posted, None where none may, and what fell of it, by rule.

    `remnant` is what is left where what hangs on a fallen sentence falls too: less than a new draft may give, and more
    than none. `verdicts` are those of the sentences that are left. Of the sentences, `stood` are those that nothing
    speaks against, `cited` those that rest on the read page that they cite (where one that answers by chance fell, its
    page is none to quote), and `quoted` those that stand so in the book.
    """

    text: str | None
    rules: dict[str, int]
    remnant: str | None = None
    stood: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    quoted: tuple[str, ...] = ()
    cited: tuple[CitedSentence, ...] = ()
    verifier_calls: int = 0

    @property
    def may_be_posted(self) -> bool:
        """Whether there is anything to post."""
        return self.text is not None

    @property
    def is_unverified(self) -> bool:
        """Whether nobody could say what of it may be posted, so that nobody could of a new draft."""
        return UNVERIFIED in self.rules


@dataclass(frozen=True, slots=True, kw_only=True)
class _Looked:
    """A draft without the notice that it was cut short, its sentences, and what was found of each."""

    text: str
    said: Sequence[DraftSentence]
    looked: Sequence[Looked]


class DraftJudge:
    """Weighs drafts, first ones and new ones in the same way."""

    def __init__(self, *, findings: GuardFindings, books: BookRepository, verifying: Verifying | None = None) -> None:
        self._findings = findings
        self._books = books
        self._verifying = verifying

    @property
    def has_verifier(self) -> bool:
        """Whether a model settles what is not certain."""
        return self._verifying is not None

    async def decide(self, draft: Draft) -> Decision:
        """Weigh a draft; a verifier's call shares the turn's deadline."""
        text = draft.text.removesuffix(CUT_SHORT).strip()
        said = await off_loop(text, draft_sentences, text)
        pages = await texts_of(cited_pages(text), draft.question, self._books)
        looked = await self._findings.of(
            text,
            said,
            draft.question,
            pages=pages,
            with_clauses=self._verifying is None or self._verifying.looks_at_clauses,
        )
        if self._verifying is None:
            weighed = await off_loop(text, weighed_by_score, looked, draft.question)
        else:
            try:
                weighed = await self._verifying.weighed(looked, draft.question, pages)
            except LLMError as error:
                _log.warning("Quotations replace an answer, since its verifier failed: %s", error)
                return Decision(text=None, rules={UNVERIFIED: 1}, verifier_calls=CALLS)
        decision = await off_loop(text, _decided, draft, _Looked(text=text, said=said, looked=looked), weighed)
        if decision.rules:
            told = ", ".join(f"{rule} {count}" for rule, count in decision.rules.items())
            _log.info("Of a draft fell, by rule: %s%s.", told, "" if decision.may_be_posted else "; it is not posted")
        return decision


def _decided(draft: Draft, found: _Looked, weighed: Weighed) -> Decision:
    posted, remnant = _whole(draft, found) if not weighed.fallen else _what_stands(draft, found, weighed)
    falling = falling_with(found.said, weighed.fallen)
    return Decision(
        text=posted,
        rules=weighed.rules or ({} if posted else {UNGROUNDED: 1}),
        remnant=remnant,
        stood=tuple(each.text for at, each in enumerate(found.said) if at not in weighed.fallen),
        verdicts=tuple(verdict for at, verdict in enumerate(weighed.verdicts) if at not in falling),
        quoted=tuple(quoted for each in found.looked for quoted in each.verbatim_texts),
        cited=tuple(
            each.cited
            for at, each in enumerate(found.looked)
            if each.cited.page is not None and not (each.is_bare and at in weighed.fallen)
        ),
        verifier_calls=weighed.verifier_calls,
    )


def _whole(draft: Draft, found: _Looked) -> tuple[str | None, str | None]:
    """Return a draft of which nothing fell; who asks back says something too, who says but courtesies does not."""
    says = any(not each.is_courtesy for each in found.looked) or is_small_talk(draft.question.text)
    return (draft.text if says else None), None


def _what_stands(draft: Draft, found: _Looked, weighed: Weighed) -> tuple[str | None, str | None]:
    """Return what may be posted of a draft at once, and what for want of better."""
    falling = falling_with(found.said, weighed.fallen)
    is_answer = answers(weighed.verdicts, falling) or is_small_talk(draft.question.text)
    if len(falling) == len(found.said) or not is_answer:
        return None, None
    left = without(found.text, found.said, falling)
    if draft.text.endswith(CUT_SHORT):
        left = f"{left}\n\n{CUT_SHORT}"
    return (left if reads_without(found.said, weighed.fallen) else None), left
