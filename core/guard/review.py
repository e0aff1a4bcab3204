"""The review of a draft, from top to bottom: what is found of its sentences, which of them fall, and what is left.

What is certain falls. Of the rest a verifier decides, or the score where there is none. What is left is posted where it
still reads and answers (`draft`).
"""

import logging
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
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
from core.guard.draft import DraftSentence, answers, draft_sentences, falling_with, within_limit, without
from core.guard.findings import UNGROUNDED, SentenceFinding, sentence_findings, speakers_of
from core.guard.verifier import CALLS, Verifier, evidence_for, texts_of
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
        cited = await texts_of(cited_pages(text), question, self._books)
        # Where all is asked about, no clause needs to make a sentence doubtful.
        with_clauses = self._verifier is None or self._verifier.scope is Verify.DOUBT
        findings = await sentence_findings(
            self._guard, text, sentences, question, pages=cited, with_clauses=with_clauses
        )
        calls = 0
        try:
            if self._verifier is None:
                await off_loop(text, _decide_by_score, findings, question)
            else:
                calls = await self._verify(self._verifier, findings, question, cited)
        except LLMError as error:
            _log.warning("Quotations replace an answer, since its verifier failed: %s", error)
            blank = replace(draft, text="", iterations=draft.iterations + CALLS)
            verdict, rules = DraftVerdict(outcome=blank, may_be_posted=False, is_unverified=True), {_UNVERIFIED: 1}
        else:
            draft = replace(draft, iterations=draft.iterations + calls)
            verdict = await off_loop(text, _verdict, draft, question, sentences, findings)
            rules = _fallen_by(findings, verdict)
        if rules:
            question.log.take(SpoilerBlockedEvent(rules=rules))
        question.log.drafted(verdict.outcome.iterations)
        return verdict

    async def _verify(
        self,
        verifier: Verifier,
        findings: Sequence[SentenceFinding],
        question: Question,
        cited: Mapping[int, str],
    ) -> int:
        """Let what is certain fall, and what the verifier says no to; return how many calls that took.

        That a sentence rests on its page and scores low never saves it: slips are folded into such sentences. Where the
        verifier is a smaller model, it is asked again about a no that all else speaks against.

        Raises:
            LLMError: the verifier failed twice.
        """
        known = frozenset(chain.from_iterable(map(words, (question.text, *speakers_of(question)))))
        for each in findings:
            each.rules = each.certain_rules(known) + _citation_rules(each, question)
            each.verdict = _unasked(each)
        _let_fall(findings)
        # What is certain to fall is shown to no model; of the rest all is, for a sentence hangs on those before it.
        shown = [each for each in findings if not each.falls]
        if not any(_is_asked_about(each, verifier.scope) for each in shown):
            return 0
        calls = await self._ask(verifier, shown, question, cited)
        if verifier.looks_twice:
            calls += await self._ask_again(verifier, shown, question, cited)
        for each in shown:
            if each.verdict is Verdict.NOT:
                each.falls, each.rules = True, [_UNSUPPORTED]
        return calls

    async def _ask_again(
        self, verifier: Verifier, shown: Sequence[SentenceFinding], question: Question, cited: Mapping[int, str]
    ) -> int:
        """Show those alone that the verifier said no to and all else bears out; where that fails, its no stays."""
        doubted = [each for each in shown if each.verdict is Verdict.NOT and _seems_borne_out(each, question)]
        if not doubted:
            return 0
        own = {page for each in doubted for page in cited_pages(each.text)}
        try:
            return await self._ask(verifier, doubted, question, {page: cited[page] for page in cited if page in own})
        except LLMError as error:
            _log.warning("The verifier gave no second opinion: %s", error)
            return CALLS

    async def _ask(
        self,
        verifier: Verifier,
        shown: Sequence[SentenceFinding],
        question: Question,
        cited: Mapping[int, str],
    ) -> int:
        """Take down what the verifier says of each sentence that it is shown; return how many calls that took.

        Raises:
            LLMError: it failed twice.
        """
        stated = [each.text for each in shown if not each.is_fixed]
        name = question.author.display_name
        verdicts, calls = await verifier.verify(
            [each.text for each in shown],
            await evidence_for(stated, cited, question, self._books),
            question=f"{name}: {question.text}" if name else question.text,
            deadline=question.deadline,
            on_event=question.log.take,
        )
        for each, verdict in zip(shown, verdicts, strict=True):
            each.verdict = verdict
        return calls


def _is_asked_about(finding: SentenceFinding, scope: Verify) -> bool:
    """Whether a sentence makes a call necessary: by the verifier's scope, any but our own, or doubts alone."""
    is_doubtful = finding.is_suspect or finding.lacks_page or finding.is_bare
    return not finding.is_fixed and (is_doubtful or scope is Verify.ALL)


def _seems_borne_out(finding: SentenceFinding, question: Question) -> bool:
    """Whether a sentence cites a read page that holds most of its matter, and its score says nothing against it.

    A page that has a name or a quotation does not bear out that it answers the question.
    """
    cites = any(0 < page <= (question.position or 0) for page in cited_pages(finding.text))
    return cites and not (finding.is_bare or finding.lacks_page or finding.is_suspect)


def _unasked(finding: SentenceFinding) -> Verdict:
    """Return what a sentence is that no verifier was asked about."""
    if finding.is_fixed:
        return Verdict.ABSTAIN
    return Verdict.SUPPORTED if finding.rests_on_pages and not finding.is_courtesy else Verdict.TALK


def _decide_by_score(findings: Sequence[SentenceFinding], question: Question) -> None:
    """Let sentences of a draft fall of which nobody can settle a doubt.

    One in which no sentence rests on read text in words of its own falls whole: one that only says that nothing can be
    said, as what leaks does, so that the two look alike; and a quotation, which may answer by chance.
    """
    needs_pages = not is_small_talk(question.text)
    for each in findings:
        each.rules = each.score_rules + _citation_rules(each, question)
        if not each.rules and each.falls_alone(needs_pages=needs_pages):
            each.rules = [_UNSUPPORTED]
        is_own = each.rests_on_pages and not (each.is_bare or each.is_fixed)
        each.verdict = Verdict.SUPPORTED if is_own else Verdict.TALK
    is_grounded = any(each.rules or each.verdict is Verdict.SUPPORTED for each in findings)
    _let_fall(findings, whole=needs_pages and not is_grounded)


def _let_fall(findings: Sequence[SentenceFinding], *, whole: bool = False) -> None:
    """Let the sentences fall that have rules; what cannot be read takes the whole draft with it."""
    whole = whole or any(each.is_unreadable for each in findings)
    for each in findings:
        each.falls = whole or bool(each.rules)


def _citation_rules(finding: SentenceFinding, question: Question) -> list[str]:
    """Return a rule for each unread page that a sentence cites."""
    return [_CITATION for page in cited_pages(finding.text) if page > (question.position or 0)]


def _verdict(
    draft: TurnOutcome, question: Question, sentences: Sequence[DraftSentence], findings: Sequence[SentenceFinding]
) -> DraftVerdict:
    """Return what may be posted of a draft, by what falls of it."""
    fallen = {at for at, each in enumerate(findings) if each.falls}
    falling = falling_with(sentences, fallen)
    left = [each for at, each in enumerate(findings) if at not in falling]
    is_kept = _still_answers(findings, left, question)
    text = _without(draft.text, sentences, falling) if falling else draft.text
    quoted = [quoted for each in findings for quoted in each.verbatim_texts]
    return DraftVerdict(
        outcome=replace(
            draft,
            text=within_limit(text, quoted) if is_kept else "",
            verdicts=tuple(each.verdict for each in left),
        ),
        may_be_posted=is_kept and len(falling) == len(fallen),
        stood=tuple(each.text for each in findings if not each.falls),
        cited=tuple(each.cited for each in findings if each.has_page_to_quote),
    )


def _still_answers(findings: Sequence[SentenceFinding], left: Sequence[SentenceFinding], question: Question) -> bool:
    """Whether a draft says something with the sentences that are left of it; to small talk anything does."""
    if len(left) == len(findings):
        return is_small_talk(question.text) or not all(each.is_courtesy for each in findings)
    return bool(left) and (is_small_talk(question.text) or answers(each.verdict for each in left))


def _without(text: str, sentences: Sequence[DraftSentence], falling: Collection[int]) -> str:
    """Return a draft's text without some of its sentences; that it was cut short is still said."""
    left = without(text.removesuffix(CUT_SHORT).strip(), sentences, falling)
    return f"{left}\n\n{CUT_SHORT}" if text.endswith(CUT_SHORT) else left


def _fallen_by(findings: Sequence[SentenceFinding], verdict: DraftVerdict) -> dict[str, int]:
    """Return how often each rule made a sentence fall, and log it."""
    rules = dict(Counter(rule for each in findings for rule in each.rules))
    if not rules and not (verdict.may_be_posted and verdict.is_left):
        rules = {UNGROUNDED: 1}
    if rules:
        told = ", ".join(f"{rule} {count}" for rule, count in rules.items())
        _log.info("Of a draft fell, by rule: %s%s.", told, "" if verdict.may_be_posted else "; it is not posted")
    return rules
