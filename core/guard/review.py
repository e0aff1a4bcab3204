"""The review of a draft: its sentences, what is found of each, a verdict on each, and what of it may be posted.

What is certain falls. Of the rest a verifier decides, or the score where there is none. What is left is posted where it
still reads and answers (`salvage`).
"""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from core.domain.chat_event import SpoilerBlockedEvent
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError
from core.domain.messages import CUT_SHORT
from core.domain.off_loop import off_loop
from core.domain.question import Question
from core.domain.verdict import Verdict, Verify
from core.guard.citations import CitedSentence, cited_pages
from core.guard.draft_sentences import DraftSentence, draft_sentences
from core.guard.evidence import evidence_for, texts_of
from core.guard.findings import UNGROUNDED, SentenceFinding, sentence_findings, speakers_of
from core.guard.quotation_limit import within_limit
from core.guard.salvage import answers, falling_with, without
from core.guard.verifier import CALLS, Verifier
from core.language.words import words
from core.ports.books import BookRepository
from core.ports.guard import Guard
from core.understanding.small_talk import is_small_talk

_log = logging.getLogger(__name__)

_CITATION: Final = "citation"
_UNSUPPORTED: Final = "unsupported"
_UNVERIFIED: Final = "unverified"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftVerdict:
    """What is decided of a draft.

    Attributes:
        outcome: the draft with the text that may be posted or, where it may not be at once, for want of better: less
            than a new draft may give, and more than none. Its verdicts are those of the sentences that are left.
        may_be_posted: whether the text may be posted at once.
        is_unverified: nobody could say what of it may be posted, so that nobody could of a new draft.
        stood: the sentences that nothing speaks against.
        cited: those that rest on the read page that they cite; where one that answers by chance fell, its page is none
            to quote.
    """

    outcome: TurnOutcome
    may_be_posted: bool
    is_unverified: bool = False
    stood: tuple[str, ...] = ()
    cited: tuple[CitedSentence, ...] = ()

    @property
    def is_left(self) -> bool:
        """Whether there is any text."""
        return bool(self.outcome.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rulings:
    """The rules by which sentences fall, by their numbers, and a verdict on each sentence that stays."""

    fallen: Mapping[int, Sequence[str]]
    verdicts: Sequence[Verdict]
    verifier_calls: int = 0


class DraftReview:
    """Reviews drafts, first ones and new ones in the same way."""

    def __init__(self, *, guard: Guard, books: BookRepository, verifier: Verifier | None = None) -> None:
        self._guard = guard
        self._books = books
        self._verifier = verifier

    @property
    def has_verifier(self) -> bool:
        """Whether a model settles what is not certain."""
        return self._verifier is not None

    async def review(self, draft: TurnOutcome, question: Question) -> DraftVerdict:
        """Decide what of a draft may be posted; a verifier's calls share the turn's deadline."""
        text = draft.text.removesuffix(CUT_SHORT).strip()
        sentences = await off_loop(text, draft_sentences, text)
        pages = await texts_of(cited_pages(text), question, self._books)
        findings = await sentence_findings(
            self._guard,
            text,
            sentences,
            question,
            pages=pages,
            # Where all is asked about, no clause needs to make a sentence doubtful.
            with_clauses=self._verifier is None or self._verifier.scope is Verify.DOUBT,
        )
        try:
            if self._verifier is None:
                rulings = await off_loop(text, _by_score, findings, question)
            else:
                asking = _Asking(
                    verifier=self._verifier, books=self._books, findings=findings, question=question, cited=pages
                )
                rulings = await asking.rulings()
        except LLMError as error:
            _log.warning("Quotations replace an answer, since its verifier failed: %s", error)
            blank = replace(draft, text="", iterations=draft.iterations + CALLS)
            verdict, rules = DraftVerdict(outcome=blank, may_be_posted=False, is_unverified=True), {_UNVERIFIED: 1}
        else:
            verdict = await off_loop(text, _verdict, draft, question, sentences, findings, rulings)
            rules = _rules(rulings, verdict)
        if rules:
            question.log.take(SpoilerBlockedEvent(rules=rules))
        question.log.drafted(verdict.outcome.iterations)
        return verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asking:
    """A draft in front of a verifier; `cited` are the texts of the read pages that it cites.

    That a sentence rests on its page and scores low never saves it: slips are folded into such sentences. Where the
    verifier is a smaller model, it is asked again about a no that all else speaks against.
    """

    verifier: Verifier
    books: BookRepository
    findings: Sequence[SentenceFinding]
    question: Question
    cited: Mapping[int, str]

    async def rulings(self) -> _Rulings:
        """Let what is certain fall, and what the verifier says no to.

        Raises:
            LLMError: the verifier failed twice.
        """
        known = frozenset(chain.from_iterable(map(words, (self.question.text, *speakers_of(self.question)))))
        rules = [each.certain_rules(known) + _citation_rules(each, self.question) for each in self.findings]
        certain = _falling(rules, self.findings)
        # What is certain to fall is shown to no model; of the rest all is, for a sentence hangs on those before it.
        shown = [at for at in range(len(self.findings)) if at not in certain]
        told: dict[int, Verdict] = {}
        calls = 0
        if any(self._is_asked(self.findings[at]) for at in shown):
            told, calls = await self._told(shown, self.cited)
            again, more = await self._told_again(told)
            told, calls = told | again, calls + more
        unsupported = {at: [_UNSUPPORTED] for at, verdict in told.items() if verdict is Verdict.NOT}
        return _Rulings(
            fallen=certain | unsupported,
            verdicts=[told.get(at) or _unasked(each) for at, each in enumerate(self.findings)],
            verifier_calls=calls,
        )

    def _is_asked(self, finding: SentenceFinding) -> bool:
        """Whether a sentence makes a call necessary: by the verifier's scope, any but our own, or doubts alone."""
        is_doubtful = finding.is_suspect or finding.lacks_page or finding.is_bare
        return not finding.is_fixed and (is_doubtful or self.verifier.scope is Verify.ALL)

    async def _told(self, shown: Sequence[int], cited: Mapping[int, str]) -> tuple[dict[int, Verdict], int]:
        """Return what the verifier says of each sentence that it is shown, and how many calls that took.

        Raises:
            LLMError: it failed twice.
        """
        texts = [self.findings[at].text for at in shown]
        stated = [self.findings[at].text for at in shown if not self.findings[at].is_fixed]
        question = self.question
        name = question.author.display_name
        verdicts, calls = await self.verifier.verify(
            texts,
            await evidence_for(stated, cited, question, self.books),
            question=f"{name}: {question.text}" if name else question.text,
            deadline=question.deadline,
            on_event=question.log.take,
        )
        return dict(zip(shown, verdicts, strict=True)), calls

    async def _told_again(self, told: Mapping[int, Verdict]) -> tuple[dict[int, Verdict], int]:
        """Show those alone that the verifier said no to and all else bears out; where that fails, its no stays."""
        doubted = [at for at, verdict in told.items() if verdict is Verdict.NOT and self._seems_borne_out(at)]
        if not doubted or not self.verifier.looks_twice:
            return {}, 0
        own = {page for at in doubted for page in cited_pages(self.findings[at].text)}
        try:
            return await self._told(doubted, {page: text for page, text in self.cited.items() if page in own})
        except LLMError as error:
            _log.warning("The verifier gave no second opinion: %s", error)
            return {}, CALLS

    def _seems_borne_out(self, at: int) -> bool:
        """Whether a sentence cites a read page that holds most of its matter, and its score says nothing against it.

        A page that has a name or a quotation does not bear out that it answers the question.
        """
        finding, last_page = self.findings[at], self.question.position or 0
        cites = any(0 < page <= last_page for page in cited_pages(finding.text))
        return cites and not (finding.is_bare or finding.lacks_page or finding.is_suspect)


def _by_score(findings: Sequence[SentenceFinding], question: Question) -> _Rulings:
    """Rule on a draft of which nobody can settle a doubt.

    One in which no sentence rests on read text in words of its own falls whole: one that only says that nothing can be
    said, as what leaks does, so that the two look alike; and a quotation, which may answer by chance.
    """
    needs_pages = not is_small_talk(question.text)
    rules = [
        each.score_rules + _citation_rules(each, question)
        or ([_UNSUPPORTED] if each.falls_alone(needs_pages=needs_pages) else [])
        for each in findings
    ]
    verdicts = [
        Verdict.SUPPORTED if each.rests_on_pages and not (each.is_bare or each.is_fixed) else Verdict.TALK
        for each in findings
    ]
    is_ungrounded = needs_pages and not any(rules) and Verdict.SUPPORTED not in verdicts
    return _Rulings(fallen=_falling(rules, findings, whole=is_ungrounded), verdicts=verdicts)


def _verdict(
    draft: TurnOutcome,
    question: Question,
    sentences: Sequence[DraftSentence],
    findings: Sequence[SentenceFinding],
    rulings: _Rulings,
) -> DraftVerdict:
    """Return what may be posted of a draft, by the rulings on its sentences."""
    falling = falling_with(sentences, rulings.fallen)
    text, says = draft.text, any(not each.is_courtesy for each in findings)
    if falling:
        says = answers(rulings.verdicts, falling)
        text = without(text.removesuffix(CUT_SHORT).strip(), sentences, falling)
        text += f"\n\n{CUT_SHORT}" if draft.text.endswith(CUT_SHORT) else ""
    all_fall = bool(falling) and len(falling) == len(sentences)
    is_kept = not all_fall and (says or is_small_talk(question.text))
    quoted = [quoted for each in findings for quoted in each.verbatim_texts]
    outcome = replace(
        draft,
        text=within_limit(text, quoted) if is_kept else "",
        verdicts=tuple(verdict for at, verdict in enumerate(rulings.verdicts) if at not in falling),
        iterations=draft.iterations + rulings.verifier_calls,
    )
    return DraftVerdict(
        outcome=outcome,
        may_be_posted=is_kept and len(falling) == len(rulings.fallen),
        stood=tuple(each.text for at, each in enumerate(findings) if at not in rulings.fallen),
        cited=tuple(
            each.cited
            for at, each in enumerate(findings)
            if not each.lacks_page and not (each.is_bare and at in rulings.fallen)
        ),
    )


def _rules(rulings: _Rulings, verdict: DraftVerdict) -> dict[str, int]:
    """Return how often each rule made a sentence fall, and log it."""
    rules = dict(Counter(chain.from_iterable(rulings.fallen.values())))
    if not rules and not (verdict.may_be_posted and verdict.is_left):
        rules = {UNGROUNDED: 1}
    if rules:
        told = ", ".join(f"{rule} {count}" for rule, count in rules.items())
        _log.info("Of a draft fell, by rule: %s%s.", told, "" if verdict.may_be_posted else "; it is not posted")
    return rules


def _falling(
    rules: Sequence[list[str]], findings: Sequence[SentenceFinding], *, whole: bool = False
) -> dict[int, list[str]]:
    """Return the rules of the sentences that have any; what cannot be read takes the whole draft with it."""
    whole = whole or any(each.is_unreadable for each in findings)
    return {at: own for at, own in enumerate(rules) if own or whole}


def _citation_rules(finding: SentenceFinding, question: Question) -> list[str]:
    """Return a rule for each unread page that a sentence cites."""
    return [_CITATION for page in cited_pages(finding.text) if page > (question.position or 0)]


def _unasked(finding: SentenceFinding) -> Verdict:
    """Return what a sentence is that no verifier was asked about."""
    if finding.is_fixed:
        return Verdict.ABSTAIN
    return Verdict.SUPPORTED if finding.rests_on_pages and not finding.is_courtesy else Verdict.TALK
