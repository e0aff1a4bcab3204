"""The guard's findings for each sentence of a draft: certain leaks, and doubts."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from core.domain.conversation import called
from core.domain.messages import is_fixed
from core.domain.off_loop import off_loop
from core.domain.question import Question
from core.domain.verdict import BACKGROUND_MARK, Reason, SentenceVerdict, Verdict
from core.guard.citations import CitedSentence, check_citations, cited_pages, rests_on
from core.guard.courtesies import is_courtesy, matter, without_address
from core.guard.draft import DraftSentence, places
from core.guard.normalise import plain
from core.language.sentences import clauses
from core.language.words import words
from core.ports.guard import Guard

UNGROUNDED: Final = "ungrounded"
_CERTAIN: Final = frozenset({"quote", "name", "unreadable"})
_UNREADABLE: Final = "unreadable"
_WEIGHED: Final = frozenset({"term", "pair", "meaning", UNGROUNDED})
_LEAST_ANSWER: Final = 3
"""How many content words a sentence needs to be a whole answer."""

_Part = tuple[int, str, bool]
"""A judged part of a draft: the number of its sentence, its text, and whether its verdict counts."""


@dataclass(slots=True, kw_only=True)
class SentenceFinding:
    """One sentence of a draft, the findings about it, and the decision.

    Attributes:
        text: the sentence.
        bare: its text without citations and without the names of the people it addresses.
        cited: the sentence with the page that supports it.
        judged: the guard's verdicts on it.
        clauses: the guard's verdicts on its clauses, if they were judged.
        falls: whether the review removes it.
        rules: the rules by which it is removed.
        verdict: the review's verdict.
        leans_on: the places of the sentences without which it does not read well.
    """

    text: str
    bare: str
    cited: CitedSentence
    judged: Sequence[SentenceVerdict]
    clauses: Sequence[SentenceVerdict]
    falls: bool = False
    rules: list[str] = field(default_factory=list)
    verdict: Verdict = Verdict.TALK
    leans_on: Collection[int] = ()

    @property
    def is_courtesy(self) -> bool:
        """Whether it contains only courtesies, and none that could answer the question."""
        return is_courtesy(self.bare)

    @property
    def is_fixed(self) -> bool:
        """Whether it is a fixed sentence of the bot that reveals nothing. Only these need no verdict."""
        return is_fixed(self.text)

    @property
    def is_background(self) -> bool:
        """Whether it is marked as general knowledge."""
        return plain(self.text).startswith(BACKGROUND_MARK)

    @property
    def is_quotation(self) -> bool:
        """Whether it is on a read page word for word."""
        return self.cited.is_quotation or self._is_verbatim

    @property
    def is_bare(self) -> bool:
        """Whether it is a claim only together with the question: a quotation, a name, a number, a place, yes or no."""
        return self.is_quotation or matter(self.bare) < _LEAST_ANSWER

    @property
    def is_unreadable(self) -> bool:
        """Whether it is unreadable. Then the whole draft is, since a code may run across sentences."""
        return any(reason.kind == _UNREADABLE for reason in self._reasons)

    @property
    def is_suspect(self) -> bool:
        """Whether its score or the score of one of its clauses is high."""
        return any(each.doubtful or each.leaks for each in (*self.judged, *self.clauses))

    @property
    def lacks_page(self) -> bool:
        """Whether its citation is missing or wrong."""
        return self.cited.page is None

    @property
    def has_page_to_quote(self) -> bool:
        """Whether its cited page may be quoted instead: not if it is removed and only answers by chance."""
        return not self.lacks_page and not (self.is_bare and self.falls)

    @property
    def rests_on_pages(self) -> bool:
        """Whether read text supports it: by its citation, by the guard's score, or word for word."""
        return not self.lacks_page or self._is_verbatim or any(each.grounded for each in self.judged)

    @property
    def verbatim_texts(self) -> list[str]:
        """The parts of it that are word for word in the book."""
        return [each.text for each in self.judged if each.verbatim]

    @property
    def score_rules(self) -> list[str]:
        """The rules by which it leaks if no verifier decides; a high score without a reason counts as `meaning`."""
        return [
            kind
            for each in (*self.judged, *self.clauses)
            if self._leaks(each)
            for kind in sorted({reason.kind for reason in each.reasons}) or ["meaning"]
        ]

    @property
    def falls_alone(self) -> bool:
        """Whether it is removed without a verifier: it is too short to be judged, or no cited page supports it.

        Without a verifier, nothing tells a view from a guess at what comes later.
        """
        if self.is_quotation or self.is_courtesy or self.is_fixed:
            return False
        return self.is_bare or self.lacks_page

    def certain_rules(self, known: frozenset[str]) -> list[str]:
        """Return the rules that need no verifier; `known` words do not count as names from unread pages."""
        return [reason.kind for reason in self._reasons if is_certain(reason, known)]

    @property
    def _is_verbatim(self) -> bool:
        return bool(self.judged) and all(each.verbatim for each in self.judged)

    @property
    def _reasons(self) -> Iterator[Reason]:
        return (reason for each in self.judged for reason in each.reasons)

    def _leaks(self, verdict: SentenceVerdict) -> bool:
        """Whether a verdict is a leak. A courtesy never is."""
        is_weighed = {reason.kind for reason in verdict.reasons} <= _WEIGHED
        return verdict.leaks and not (is_weighed and self.is_courtesy)


async def sentence_findings(
    guard: Guard,
    text: str,
    sentences: Sequence[DraftSentence],
    question: Question,
    *,
    pages: Mapping[int, str],
    with_clauses: bool,
    any_language: bool = False,
) -> list[SentenceFinding]:
    """Return the findings for each sentence of a draft.

    `pages` are the texts of the read pages that it cites. With `with_clauses`, clauses are judged separately too; with
    `any_language`, sentences in another language than the book's are judged too.
    """
    names = speakers_of(question)

    async def judged(part: str) -> Sequence[SentenceVerdict]:
        judgement = await guard.judge(
            part,
            book=question.book,
            position=question.position,
            question=question.text,
            speakers=names,
            any_language=any_language,
        )
        return judgement.sentences

    whole = await judged(text)
    parts = await off_loop(text, _clauses, sentences, pages) if with_clauses else []
    apart = await judged("\n\n".join(part for _, part, _ in parts)) if parts else []

    def found() -> list[SentenceFinding]:
        texts = [each.text for each in sentences]
        of_sentences = _by_sentence(whole, [(at, each, True) for at, each in enumerate(texts)])
        of_clauses = _by_sentence(apart, parts)
        return [
            SentenceFinding(
                text=each,
                bare=without_address(cited.text, names),
                cited=cited,
                judged=of_sentences.get(at, ()),
                clauses=of_clauses.get(at, ()),
            )
            for at, (each, cited) in enumerate(zip(texts, check_citations(texts, pages), strict=True))
        ]

    return await off_loop(text, found)


def _clauses(sentences: Sequence[DraftSentence], pages: Mapping[int, str]) -> list[_Part]:
    """Return the clauses of sentences with several, so that a true clause does not hide a leak in another.

    The verdict on a clause does not count if the cited pages support it.
    """
    parts: list[_Part] = []
    for at, each in enumerate(sentences):
        several = clauses(" ".join(each.text.split()))
        if len(several) > 1:
            own = {page: pages[page] for page in cited_pages(each.text) if page in pages}
            parts += [(at, clause, not rests_on(clause, own)) for clause in several]
    return parts


def _by_sentence(judged: Sequence[SentenceVerdict], parts: Sequence[_Part]) -> Mapping[int, Sequence[SentenceVerdict]]:
    """Return the verdicts by number of the sentence; all of them for each if they cannot be matched."""
    reaches = places([words(plain(each.text)) for each in judged], [words(plain(part)) for _, part, _ in parts])
    if reaches is None:
        return dict.fromkeys(_owners(parts), judged)
    found = defaultdict[int, list[SentenceVerdict]](list)
    for verdict, reach in zip(judged, reaches, strict=True):
        for at in _owners(parts[reach.start : reach.stop]):
            found[at].append(verdict)
    return found


def _owners(parts: Sequence[_Part]) -> Collection[int]:
    """Return the numbers of the sentences that a verdict covers, each once; empty if it counts for none."""
    return dict.fromkeys(at for at, _, _ in parts) if any(counts for _, _, counts in parts) else ()


def speakers_of(question: Question) -> frozenset[str]:
    """Return the names of those who spoke in a question's conversation."""
    authors = (question.message.author, question.author, *(message.author for message in question.history))
    # A thread has many messages of a few people.
    names = {each.display_name for each in authors if each is not None and each.display_name}
    return frozenset(map(called, names))


def is_certain(reason: Reason, known: frozenset[str] = frozenset()) -> bool:
    """Whether a reason needs no model. A name counts if it is on an unread page and is not `known`."""
    if reason.kind != "name":
        return reason.kind in _CERTAIN
    return reason.page is not None and not known.issuperset(words(reason.evidence))
