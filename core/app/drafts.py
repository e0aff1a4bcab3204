"""Decides whether a draft may be posted: the guard's verdicts, its citations, and where one is set, the verifier's."""

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from core.agent.citations import CitedSentence, check_citations, cited_pages, without_citations
from core.agent.verifier import Support, Verification, Verifier
from core.domain.book import Book
from core.domain.passage import SearchResult, readable
from core.domain.position import Position
from core.domain.tool_use import GenerationOptions
from core.domain.verdict import Judgement, SentenceVerdict
from core.domain.verification import Verify
from core.domain.words import CUT_SHORT
from core.ports.books import BookRepository
from core.ports.guard import Guard
from core.text.abstention import abstains
from core.text.clauses import clauses
from core.text.sentences import sentences
from core.text.small_talk import is_small_talk, states_nothing

CITATION: Final = "citation"
UNSUPPORTED: Final = "unsupported"
UNGROUNDED: Final = "ungrounded"
_WEIGHED: Final = frozenset({"term", "pair", "meaning", UNGROUNDED})
PASSAGES_A_SENTENCE: Final = 3
"""Read passages that a verifier is shown for each sentence in doubt."""
_log = logging.getLogger(__name__)

Search = Callable[[str, int], Awaitable[list[SearchResult]]]
"""Search the read pages; core has bound book and position into it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A text that somebody wants to post: what it answers, where the readers stand, the passages it was made from."""

    text: str
    question: str
    book: Book
    position: Position
    passages: Sequence[SearchResult] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is decided of a draft: the rules that hold it back, none where it may be posted.

    `cited` are its sentences that rest on the read page that they cite, `quoted` those that stand so in the book.
    """

    rules: dict[str, int]
    quoted: tuple[str, ...] = ()
    cited: tuple[CitedSentence, ...] = ()
    verified: Verification = field(default_factory=Verification)

    @property
    def may_be_posted(self) -> bool:
        """Whether no rule holds it back."""
        return not self.rules


class DraftJudge:
    """Weighs whole drafts: one bad sentence holds the draft back, and so does resting on nothing that is read."""

    def __init__(self, *, guard: Guard, books: BookRepository, verifier: Verifier | None = None) -> None:
        self._guard = guard
        self._books = books
        self._verifier = verifier

    async def decide(self, draft: Draft, search: Search, options: GenerationOptions) -> Decision:
        """Weigh a draft; `options` carry the deadline that a verifier's call shares with the turn."""
        text = draft.text.removesuffix(CUT_SHORT).strip()
        judgement = await self._judge(text, draft)
        apart = await self._apart(text, draft)
        checked = check_citations(text, [each.text for each in judgement.sentences], await self._cited_texts(draft))
        cited = tuple(each for each in checked if each.page is not None)
        rules = self._sure((*judgement.sentences, *apart)) | _unread_citations(text, draft.position)
        if rules:
            return _decided(Decision(rules=rules, cited=cited))
        needs_pages = not is_small_talk(draft.question)
        if needs_pages and all(_answers_nothing(each.text, draft.question) for each in judgement.sentences):
            return _decided(Decision(rules={UNGROUNDED: 1}, cited=cited))
        in_doubt = self._doubtful(judgement.sentences, checked if needs_pages else (), apart)
        verified = await self._verified(in_doubt, draft, search, options)
        support = dict(zip([at for at, _ in in_doubt], verified.support, strict=True))
        unsupported = sum(answer is Support.NOT for answer in support.values())
        if unsupported:
            return _decided(Decision(rules={UNSUPPORTED: unsupported}, cited=cited, verified=verified))
        if needs_pages and not cited and not _rests_on_read_text(judgement, support):
            return _decided(Decision(rules={UNGROUNDED: 1}, cited=cited, verified=verified))
        quoted = tuple(each.text for each in judgement.sentences if each.verbatim)
        return Decision(rules={}, quoted=quoted, cited=cited, verified=verified)

    async def _judge(self, text: str, draft: Draft) -> Judgement:
        return await self._guard.judge(text, book=draft.book, position=draft.position, question=draft.question)

    async def _apart(self, text: str, draft: Draft) -> tuple[SentenceVerdict, ...]:
        """Judge the clauses of sentences that have several: what is read must not cover for what hangs on it."""
        parts = [part for sentence in sentences(text) for part in clauses(sentence) if part != sentence]
        return (await self._judge("\n\n".join(parts), draft)).sentences if parts else ()

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

    def _doubtful(
        self,
        judged: Sequence[SentenceVerdict],
        checked: Sequence[CitedSentence],
        apart: Sequence[SentenceVerdict],
    ) -> list[tuple[int, SentenceVerdict]]:
        """Return the sentences in doubt: by their score or a clause's, or by a citation that is missing or wrong.

        What is word for word on a read page is beyond doubt.

        Small talk needs no citation: nothing was `checked`.

        Without a verifier nobody can settle a doubt: then both together, and nothing read beneath, hold a draft back.
        """
        unsure = [each.text for each in apart if each.doubtful or each.leaks]
        lacking = {at for at, cited in enumerate(checked) if cited.page is None}
        quoted = {at for at, cited in enumerate(checked) if cited.is_quotation}
        stated = [
            (at, each, each.doubtful or each.leaks or any(part in each.text for part in unsure), at in lacking)
            for at, each in enumerate(judged)
            if not each.verbatim and at not in quoted and not states_nothing(each.text)
        ]
        if self._verifier is None:
            return [
                (at, each)
                for at, each, _, lacks in stated
                if each.doubtful and not each.grounded and (lacks or not checked)
            ]
        asks_all = self._verifier.scope is Verify.ALL
        return [(at, each) for at, each, doubt, lacks in stated if asks_all or doubt or lacks]

    async def _cited_texts(self, draft: Draft) -> Mapping[int, str]:
        cited = set(cited_pages(draft.text))
        if not cited:
            return {}
        texts: dict[int, str] = {}
        for piece in await self._books.chunks_of_pages(readable(draft.book, draft.position), sorted(cited)):
            texts[piece.start_page] = f"{texts.get(piece.start_page, '')} {piece.text}"
        return texts

    async def _verified(
        self,
        in_doubt: Sequence[tuple[int, SentenceVerdict]],
        draft: Draft,
        search: Search,
        options: GenerationOptions,
    ) -> Verification:
        if self._verifier is None:
            return Verification(support=(Support.NOT,) * len(in_doubt))
        sentences = [sentence.text for _, sentence in in_doubt]
        found = [await search(sentence, PASSAGES_A_SENTENCE) for sentence in sentences]
        passages = {each.chunk_id: each for each in (*(p for best in found for p in best), *draft.passages)}
        return await self._verifier.verify(sentences, list(passages.values()), options)


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


def _rests_on_read_text(judgement: Judgement, support: Mapping[int, Support]) -> bool:
    return any(
        sentence.grounded or sentence.verbatim or support.get(at) is Support.SUPPORTED
        for at, sentence in enumerate(judgement.sentences)
    )


def _decided(decision: Decision) -> Decision:
    _log.info("A draft was held back by %s.", ", ".join(f"{rule} {count}" for rule, count in decision.rules.items()))
    return decision
