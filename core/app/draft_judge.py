"""Decides whether a draft may be posted: the guard's verdicts, its citations, and where one is set, the verifier's."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.agent.citations import CitedSentence, check_citations, cited_pages, without_citations
from core.agent.verifier import Support, Verifier
from core.domain.passage import SearchResult, readable
from core.domain.position import Position
from core.domain.question import Question
from core.domain.verdict import Judgement, SentenceVerdict
from core.domain.verification import Verify
from core.domain.words import CUT_SHORT
from core.ports.books import BookRepository
from core.ports.guard import Guard
from core.text.sentences import clauses, sentences
from core.text.small_talk import abstains, is_small_talk, states_nothing

CITATION: Final = "citation"
UNSUPPORTED: Final = "unsupported"
UNGROUNDED: Final = "ungrounded"
_WEIGHED: Final = frozenset({"term", "pair", "meaning", UNGROUNDED})
PASSAGES_A_SENTENCE: Final = 3
"""Read passages that a verifier is shown for each sentence in doubt."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A text that somebody wants to post: the question that it answers, and the passages it was made from."""

    text: str
    question: Question
    passages: Sequence[SearchResult] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is decided of a draft: the rules that hold it back, none where it may be posted.

    `cited` are its sentences that rest on the read page that they cite, `quoted` those that stand so in the book.
    """

    rules: dict[str, int]
    quoted: tuple[str, ...] = ()
    cited: tuple[CitedSentence, ...] = ()
    verifier_calls: int = 0

    @property
    def may_be_posted(self) -> bool:
        """Whether no rule holds it back."""
        return not self.rules


@dataclass(frozen=True, slots=True, kw_only=True)
class _Findings:
    """What is known of a draft before anything is decided.

    The guard's verdicts on its sentences, and on the clauses `apart` of those that have several; the page that each
    sentence rests on; and whether the draft needs pages at all, which an answer to small talk does not.
    """

    text: str
    judgement: Judgement
    apart: Sequence[SentenceVerdict]
    checked: Sequence[CitedSentence]
    needs_pages: bool

    @property
    def cited(self) -> tuple[CitedSentence, ...]:
        """The sentences that rest on a read page that they cite."""
        return tuple(each for each in self.checked if each.page is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighed:
    """A sentence of a draft: the guard's verdict, whether a clause of it is suspect, and what it cites.

    `cited` is None where the draft needs no pages, as small talk does not.
    """

    verdict: SentenceVerdict
    has_suspect_clause: bool
    cited: CitedSentence | None

    @property
    def is_beyond_doubt(self) -> bool:
        """Whether it stands word for word on a read page, or states nothing."""
        is_quotation = self.verdict.verbatim or (self.cited is not None and self.cited.is_quotation)
        return is_quotation or states_nothing(self.verdict.text)

    @property
    def is_suspect(self) -> bool:
        """Whether its score, or that of a clause of it, is high."""
        return self.verdict.doubtful or self.verdict.leaks or self.has_suspect_clause

    @property
    def lacks_page(self) -> bool:
        """Whether its citation is missing or wrong."""
        return self.cited is not None and self.cited.page is None

    @property
    def falls_alone(self) -> bool:
        """Whether it is held back where nobody can settle a doubt: doubtful, without a page, and nothing beneath."""
        return self.verdict.doubtful and not self.verdict.grounded and (self.cited is None or self.lacks_page)


class DraftJudge:
    """Weighs whole drafts: one bad sentence holds the draft back, and so does resting on nothing that is read."""

    def __init__(self, *, guard: Guard, books: BookRepository, verifier: Verifier | None = None) -> None:
        self._guard = guard
        self._books = books
        self._verifier = verifier

    @property
    def has_verifier(self) -> bool:
        """Whether a model settles what is in doubt."""
        return self._verifier is not None

    async def decide(self, draft: Draft) -> Decision:
        """Weigh a draft; a verifier's call shares the turn's deadline."""
        decision = await self._decision(draft)
        if decision.rules:
            told = ", ".join(f"{rule} {count}" for rule, count in decision.rules.items())
            _log.info("A draft was held back by %s.", told)
        return decision

    async def _decision(self, draft: Draft) -> Decision:
        findings = await self._findings(draft)
        certain = self._certain(draft, findings)
        if certain:
            return Decision(rules=certain, cited=findings.cited)
        return await self._settled(draft, findings)

    async def _findings(self, draft: Draft) -> _Findings:
        text = draft.text.removesuffix(CUT_SHORT).strip()
        judgement = await self._judge(text, draft.question)
        apart = await self._apart(text, draft.question)
        said = [each.text for each in judgement.sentences]
        checked = check_citations(text, said, await self._cited_texts(draft))
        needs_pages = not is_small_talk(draft.question.text)
        return _Findings(text=text, judgement=judgement, apart=apart, checked=checked, needs_pages=needs_pages)

    def _certain(self, draft: Draft, findings: _Findings) -> dict[str, int]:
        """Count what holds a draft back whatever a verifier would say, by rule."""
        judged = findings.judgement.sentences
        question = draft.question
        leaks = self._sure((*judged, *findings.apart)) | _unread_citations(findings.text, question.position)
        if leaks:
            return leaks
        is_empty = findings.needs_pages and all(_answers_nothing(each.text, question.text) for each in judged)
        return {UNGROUNDED: 1} if is_empty else {}

    async def _settled(self, draft: Draft, findings: _Findings) -> Decision:
        """Decide of a draft whose only fault may be a doubt: where one is set, a verifier settles it."""
        weighed = _weighed(findings)
        in_doubt = self._in_doubt(weighed)
        support = await self._support([weighed[at].verdict.text for at in in_doubt], draft)
        calls = int(self._verifier is not None and bool(in_doubt))
        unsupported = support.count(Support.NOT)
        if unsupported:
            return Decision(rules={UNSUPPORTED: unsupported}, cited=findings.cited, verifier_calls=calls)
        rests_on_pages = findings.cited or _rests_on_read_text(findings.judgement, support)
        if findings.needs_pages and not rests_on_pages:
            return Decision(rules={UNGROUNDED: 1}, cited=findings.cited, verifier_calls=calls)
        quoted = tuple(each.text for each in findings.judgement.sentences if each.verbatim)
        return Decision(rules={}, quoted=quoted, cited=findings.cited, verifier_calls=calls)

    async def _judge(self, text: str, question: Question) -> Judgement:
        return await self._guard.judge(text, book=question.book, position=question.position, question=question.text)

    async def _apart(self, text: str, question: Question) -> tuple[SentenceVerdict, ...]:
        """Judge the clauses of sentences that have several: what is read must not cover for what hangs on it."""
        parts = [part for sentence in sentences(text) for part in clauses(sentence) if part != sentence]
        return (await self._judge("\n\n".join(parts), question)).sentences if parts else ()

    def _sure(self, judged: Sequence[SentenceVerdict]) -> dict[str, int]:
        """Count what holds a draft back without any doubt, by rule."""
        return dict(Counter(kind for each in judged if self._leaks(each) for kind in _kinds(each)))

    def _leaks(self, sentence: SentenceVerdict) -> bool:
        """A courtesy tells nothing, whatever its score; what only lacks a page may still be verified."""
        if not sentence.leaks or not {reason.kind for reason in sentence.reasons} <= _WEIGHED:
            return sentence.leaks
        if states_nothing(sentence.text):
            return False
        return self._verifier is None or not only_lacks_support(sentence)

    def _in_doubt(self, weighed: Sequence[_Weighed]) -> list[int]:
        """Return which sentences are in doubt: by their score or a clause's, or by a missing or wrong citation.

        Without a verifier nobody can settle a doubt: then both together, and nothing read beneath, hold a draft back.
        """
        stated = [at for at, each in enumerate(weighed) if not each.is_beyond_doubt]
        if self._verifier is None:
            return [at for at in stated if weighed[at].falls_alone]
        if self._verifier.scope is Verify.ALL:
            return stated
        return [at for at in stated if weighed[at].is_suspect or weighed[at].lacks_page]

    async def _cited_texts(self, draft: Draft) -> Mapping[int, str]:
        cited = set(cited_pages(draft.text))
        if not cited:
            return {}
        texts: dict[int, str] = {}
        span = readable(draft.question.book, draft.question.position)
        for piece in await self._books.chunks_of_pages(span, sorted(cited)):
            texts[piece.start_page] = f"{texts.get(piece.start_page, '')} {piece.text}"
        return texts

    async def _support(self, in_doubt: Sequence[str], draft: Draft) -> Sequence[Support]:
        if self._verifier is None:
            return (Support.NOT,) * len(in_doubt)
        question = draft.question
        found = [await question.search(sentence, PASSAGES_A_SENTENCE) for sentence in in_doubt]
        passages = {each.chunk_id: each for each in (*(p for best in found for p in best), *draft.passages)}
        return await self._verifier.verify(
            in_doubt, list(passages.values()), deadline=question.deadline, on_event=question.log.take
        )


def _weighed(findings: _Findings) -> list[_Weighed]:
    suspect = [each.text for each in findings.apart if each.doubtful or each.leaks]
    return [
        _Weighed(
            verdict=verdict,
            has_suspect_clause=any(part in verdict.text for part in suspect),
            cited=cited if findings.needs_pages else None,
        )
        for verdict, cited in zip(findings.judgement.sentences, findings.checked, strict=True)
    ]


def _answers_nothing(sentence: str, question: str) -> bool:
    return states_nothing(sentence) or abstains(without_citations(sentence), question)


def _unread_citations(text: str, position: Position) -> dict[str, int]:
    ahead = sum(page > (position or 0) for page in cited_pages(text))
    return {CITATION: ahead} if ahead else {}


def _kinds(sentence: SentenceVerdict) -> list[str]:
    """Return the rules a leaking sentence breaks, each once; a score without a reason counts as its meaning."""
    return sorted({reason.kind for reason in sentence.reasons}) or ["meaning"]


def only_lacks_support(sentence: SentenceVerdict) -> bool:
    """Whether all that speaks against a sentence is that nothing read speaks for it."""
    return bool(sentence.reasons) and all(reason.kind == UNGROUNDED for reason in sentence.reasons)


def _rests_on_read_text(judgement: Judgement, support: Sequence[Support]) -> bool:
    return Support.SUPPORTED in support or any(each.grounded or each.verbatim for each in judgement.sentences)
