"""Reviews a draft: finds leaks in its sentences, decides which sentences are removed, and returns the rest.

Certain leaks are removed. A verifier decides about the other sentences, or the score if there is no verifier. The rest
is posted if it still reads well and answers (`draft`).
"""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Final

from core.domain.chat_event import SpoilerBlockedEvent
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError
from core.domain.messages import CUT_SHORT
from core.domain.off_loop import off_loop
from core.domain.question import Question
from core.domain.verdict import Verdict, Verify
from core.guard.citations import CitedSentence, cited_pages
from core.guard.courtesies import is_small_talk
from core.guard.draft import DraftSentence, answers, draft_sentences, falling_with, within_limit, without
from core.guard.findings import UNGROUNDED, SentenceFinding, sentence_findings, speakers_of
from core.guard.style import THIRD_PERSONS
from core.guard.verifier import CALLS, Verified, Verifier, evidence_for, texts_of
from core.language.words import words
from core.ports.books import BookTexts
from core.ports.guard import Guard

_log = logging.getLogger(__name__)

_CITATION: Final = "citation"
_GUESS: Final = "guess"
_UNSUPPORTED: Final = "unsupported"
_UNVERIFIED: Final = "unverified"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftVerdict:
    """The result of a review.

    Attributes:
        outcome: the draft with the text that may be posted, and the verdicts of its sentences. If `may_be_posted` is
            false, this text is the fallback if no new draft is better.
        may_be_posted: whether the text may be posted at once.
        is_unverified: whether the verifier failed; it would fail for a new draft too.
        stood: the draft without the sentences that were objected to.
        cited: the sentences that the read page they cite supports, except removed ones that only answer by chance.
    """

    outcome: TurnOutcome
    may_be_posted: bool
    is_unverified: bool = False
    stood: str = ""
    cited: tuple[CitedSentence, ...] = ()

    @property
    def is_left(self) -> bool:
        """Whether any text is left."""
        return bool(self.outcome.text)


class DraftReview:
    """Reviews first and second drafts in the same way.

    Args:
        guard: the spoiler guard.
        books: the stored books.
        verifier: asks a model about sentences; None to decide by the score.
        on_findings: receives the findings of each draft after the decision, for benchmarks; they tell of unread text.
    """

    def __init__(
        self,
        *,
        guard: Guard,
        books: BookTexts,
        verifier: Verifier | None = None,
        on_findings: Callable[[Sequence[SentenceFinding]], None] | None = None,
    ) -> None:
        self._guard = guard
        self._books = books
        self._verifier = verifier
        self._on_findings = on_findings

    @property
    def has_verifier(self) -> bool:
        """Whether a model decides about sentences in doubt."""
        return self._verifier is not None

    async def review(self, draft: TurnOutcome, question: Question) -> DraftVerdict:
        """Decide what of a draft may be posted; a verifier's calls share the turn's deadline."""
        text = draft.text.removesuffix(CUT_SHORT).strip()
        sentences = await off_loop(text, draft_sentences, text)
        cited = await texts_of(cited_pages(text), question, self._books)
        # If the verifier sees every sentence, clauses need not be judged separately.
        with_clauses = self._verifier is None or self._verifier.scope is Verify.DOUBT
        findings = await sentence_findings(
            self._guard,
            text,
            sentences,
            question,
            pages=cited,
            with_clauses=with_clauses,
            any_language=self.has_verifier,
        )
        calls = 0
        try:
            if self._verifier is None:
                await off_loop(text, _decide_by_score, findings, sentences, question)
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
        if self._on_findings is not None:
            self._on_findings(findings)
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
        """Remove certain leaks and what the verifier does not support; return how many calls that took.

        A supported sentence with a low score is not exempt, since slips hide in such sentences. A smaller verifier
        model is asked again about sentences that it rejects against all other evidence.

        Raises:
            LLMError: the verifier failed twice.
        """
        known = frozenset(chain.from_iterable(map(words, (question.text, question.aside, *speakers_of(question)))))
        for each in findings:
            each.rules = each.certain_rules(known) + _citation_rules(each, question)
            each.verdict = _unasked(each)
        _let_fall(findings)
        # Certain leaks are never sent to a model. All other sentences are, since each depends on those before it.
        shown = [each for each in findings if not each.falls]
        if not any(_is_asked_about(each, verifier.scope) for each in shown):
            return 0
        verdicts, calls = await self._ask(verifier, findings, question, cited)
        for each, verified in zip(findings, verdicts, strict=True):
            each.verdict, each.leans_on = verified.verdict, verified.leans_on
        if verifier.looks_twice:
            calls += await self._ask_again(verifier, shown, question, cited)
        if verifier.background:
            await self._check_background(shown, question)
        for each in shown:
            _decide_by_verdict(each)
        return calls

    async def _check_background(self, findings: Sequence[SentenceFinding], question: Question) -> None:
        """Reject background that is not marked or tells of the book, and other sentences that are marked."""
        for each in findings:
            is_said = each.verdict is Verdict.BACKGROUND
            if is_said != each.is_background or (is_said and not await self._is_background(each, question)):
                each.verdict = Verdict.NOT

    async def _is_background(self, finding: SentenceFinding, question: Question) -> bool:
        return await self._guard.is_background(
            finding.text, book=question.book, position=question.position, question=question.text
        )

    async def _ask_again(
        self, verifier: Verifier, shown: Sequence[SentenceFinding], question: Question, cited: Mapping[int, str]
    ) -> int:
        """Ask again about rejected sentences that all else supports; if that fails, they stay rejected."""
        doubted = [each for each in shown if each.verdict is Verdict.NOT and _seems_borne_out(each, question)]
        if not doubted:
            return 0
        own = {page for each in doubted for page in cited_pages(each.text)}
        try:
            verdicts, calls = await self._ask(
                verifier, doubted, question, {page: cited[page] for page in cited if page in own}
            )
        except LLMError as error:
            _log.warning("The verifier gave no second opinion: %s", error)
            return CALLS
        for each, verified in zip(doubted, verdicts, strict=True):
            each.verdict = verified.verdict
        return calls

    async def _ask(
        self,
        verifier: Verifier,
        findings: Sequence[SentenceFinding],
        question: Question,
        cited: Mapping[int, str],
    ) -> tuple[Sequence[Verified], int]:
        """Return the verifier's verdict on each of these sentences, and how many calls that took.

        Raises:
            LLMError: it failed twice.
        """
        stated = [each.text for each in findings if not (each.is_fixed or each.falls)]
        name = question.author.display_name
        return await verifier.verify(
            [None if each.falls else each.text for each in findings],
            await evidence_for(stated, cited, question, self._books),
            question=f"{name}: {question.text}" if name else question.text,
            deadline=question.deadline,
            on_event=question.log.take,
        )


def _is_asked_about(finding: SentenceFinding, scope: Verify) -> bool:
    """Whether a sentence needs the verifier: by its scope, all but the bot's fixed sentences, or only doubtful ones."""
    is_doubtful = finding.is_suspect or finding.lacks_page or finding.is_bare or finding.is_background
    return not finding.is_fixed and (is_doubtful or scope is Verify.ALL)


def _seems_borne_out(finding: SentenceFinding, question: Question) -> bool:
    """Whether a cited read page contains most content words of a sentence, and its score is low.

    False for a name or a quotation alone: the page does not show that it answers the question.
    """
    cites = any(0 < page <= (question.position or 0) for page in cited_pages(finding.text))
    return cites and not (finding.is_bare or finding.lacks_page or finding.is_suspect)


def _unasked(finding: SentenceFinding) -> Verdict:
    """Return the verdict on a sentence that the verifier did not see."""
    if finding.is_fixed:
        return Verdict.ABSTAIN
    return Verdict.SUPPORTED if finding.rests_on_pages and not finding.is_courtesy else Verdict.TALK


def _decide_by_verdict(finding: SentenceFinding) -> None:
    """Mark a sentence to remove if its verdict says so."""
    if not finding.verdict.may_be_posted:
        finding.falls, finding.rules = True, [_GUESS if finding.verdict is Verdict.GUESS else _UNSUPPORTED]


def _decide_by_score(
    findings: Sequence[SentenceFinding], sentences: Sequence[DraftSentence], question: Question
) -> None:
    """Mark the sentences of a draft to remove, without a verifier.

    The whole draft is removed if no sentence in its own words is supported by read text. This includes a draft that
    only says that nothing can be said, so that it looks like a blocked one, and a mere quotation, which may answer by
    chance.
    """
    needs_pages = not is_small_talk(question.text)
    for each in findings:
        each.rules = each.score_rules + _citation_rules(each, question)
        if not each.rules and each.falls_alone:
            each.rules = [_UNSUPPORTED]
        is_own = each.rests_on_pages and not (each.is_bare or each.is_fixed)
        each.verdict = Verdict.SUPPORTED if is_own else Verdict.TALK
    _lean_on_persons(findings, sentences)
    is_grounded = any(each.rules or each.verdict is Verdict.SUPPORTED for each in findings)
    _let_fall(findings, whole=needs_pages and not is_grounded)


def _lean_on_persons(findings: Sequence[SentenceFinding], sentences: Sequence[DraftSentence]) -> None:
    """Let a sentence that begins with "he", "she" or "they" lean on the one before it in its paragraph."""
    for at, (before, said) in enumerate(pairwise(sentences)):
        if not before.ends_line and not THIRD_PERSONS.isdisjoint(words(said.text)[:1]):
            findings[at + 1].leans_on = {at}


def _let_fall(findings: Sequence[SentenceFinding], *, whole: bool = False) -> None:
    """Mark the sentences with rules as removed; an unreadable one removes the whole draft."""
    whole = whole or any(each.is_unreadable for each in findings)
    for each in findings:
        each.falls = whole or bool(each.rules)


def _citation_rules(finding: SentenceFinding, question: Question) -> list[str]:
    """Return one rule for each unread page that a sentence cites, except those that the schedule names."""
    planned = cited_pages(question.aside)
    return [_CITATION for page in cited_pages(finding.text) if page > (question.position or 0) and page not in planned]


def _verdict(
    draft: TurnOutcome, question: Question, sentences: Sequence[DraftSentence], findings: Sequence[SentenceFinding]
) -> DraftVerdict:
    """Return the verdict on a draft from its removed sentences."""
    fallen = {at for at, each in enumerate(findings) if each.falls}
    falling = falling_with(sentences, fallen, [each.leans_on for each in findings])
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
        may_be_posted=is_kept and not any(findings[at].verdict is Verdict.SUPPORTED for at in falling - fallen),
        stood=without(sentences, fallen),
        cited=tuple(each.cited for each in findings if each.has_page_to_quote),
    )


def _still_answers(findings: Sequence[SentenceFinding], left: Sequence[SentenceFinding], question: Question) -> bool:
    """Whether the remaining sentences answer the question; for small talk any sentence does."""
    if len(left) == len(findings):
        return is_small_talk(question.text) or not all(each.is_courtesy for each in findings)
    return bool(left) and (is_small_talk(question.text) or answers(each.verdict for each in left))


def _without(text: str, sentences: Sequence[DraftSentence], falling: Collection[int]) -> str:
    """Return a draft's text without some sentences; a note that it was cut short stays."""
    left = without(sentences, falling)
    return f"{left}\n\n{CUT_SHORT}" if text.endswith(CUT_SHORT) else left


def _fallen_by(findings: Sequence[SentenceFinding], verdict: DraftVerdict) -> dict[str, int]:
    """Return how many sentences each rule removed, and log it."""
    rules = dict(Counter(rule for each in findings for rule in each.rules))
    if not rules and not (verdict.may_be_posted and verdict.is_left):
        rules = {UNGROUNDED: 1}
    if rules:
        told = ", ".join(f"{rule} {count}" for rule, count in rules.items())
        _log.info("Of a draft fell, by rule: %s%s.", told, "" if verdict.may_be_posted else "; it is not posted")
    return rules
