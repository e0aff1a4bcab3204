"""What the guard finds in a draft, brought to the draft's own sentences: what is certain, and what is only doubtful."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from core.agent.citations import CitedSentence, check_citations, cited_pages, rests_on
from core.agent.draft_sentences import DraftSentence, places
from core.domain.conversation import called
from core.domain.off_loop import off_loop
from core.domain.question import Question
from core.domain.verdict import Judgement, Reason, SentenceVerdict
from core.domain.words import is_fixed
from core.guard.normalise import plain
from core.ports.guard import Guard
from core.text.sentences import clauses
from core.text.small_talk import is_courtesy, matter, said_as_view, without_address
from core.text.words import words

_CERTAIN: Final = frozenset({"quote", "name", "unreadable"})
_UNREADABLE: Final = "unreadable"
_UNGROUNDED: Final = "ungrounded"
_LEAST_JUDGED: Final = 2
_LEAST_ANSWER: Final = 3
"""Words of matter that a score needs to judge a sentence; and those of one that may be all of an answer."""
_WEIGHED: Final = frozenset({"term", "pair", "meaning", _UNGROUNDED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """One sentence of a draft and what was found of it.

    `bare` is its text without its citations and without the names of whom it speaks to. `judged` are the guard's
    verdicts on what stands in it, `apart` those on its clauses, where they were asked for. `is_courtesy`: it is made of
    courtesies alone, and of none that could answer the question.
    """

    said: DraftSentence
    bare: str
    judged: Sequence[SentenceVerdict]
    apart: Sequence[SentenceVerdict]
    cited: CitedSentence
    is_courtesy: bool

    @property
    def is_fixed(self) -> bool:
        """Whether it is one of our own sentences that tell nothing: only these need no verdict."""
        return is_fixed(self.said.text)

    @property
    def is_quotation(self) -> bool:
        """Whether it stands word for word on a read page."""
        return self.cited.is_quotation or self._is_verbatim

    @property
    def is_bare(self) -> bool:
        """Whether only the question makes it a claim: a quotation, or a name, a number, a place, a yes or a no."""
        return self.is_quotation or matter(self.bare) < _LEAST_ANSWER

    @property
    def is_unreadable(self) -> bool:
        """Whether it cannot be read; then neither can the draft, for a code may run across sentences."""
        return any(reason.kind == _UNREADABLE for reason in self._reasons())

    @property
    def is_suspect(self) -> bool:
        """Whether its score, or that of a clause of it, is high."""
        return any(each.doubtful or each.leaks for each in (*self.judged, *self.apart))

    @property
    def lacks_page(self) -> bool:
        """Whether its citation is missing or wrong."""
        return self.cited.page is None

    @property
    def rests_on_pages(self) -> bool:
        """Whether it rests on read text, by its citation, by the guard's score, or word for word."""
        return not self.lacks_page or self._is_verbatim or any(each.grounded for each in self.judged)

    @property
    def verbatim_texts(self) -> list[str]:
        """What of it stands so in the book."""
        return [each.text for each in self.judged if each.verbatim]

    @property
    def score_rules(self) -> list[str]:
        """The rules by which it leaks where no verifier decides; a score without a reason counts as its meaning."""
        return [
            kind
            for each in (*self.judged, *self.apart)
            if self._leaks(each)
            for kind in sorted({reason.kind for reason in each.reasons}) or ["meaning"]
        ]

    def falls_alone(self, *, needs_pages: bool) -> bool:
        """Whether it is held back where nobody can settle a doubt: doubtful, without a page, and nothing beneath.

        So is what says too little to be judged. A view that is said as such needs no page.
        """
        if not (self.is_quotation or self.is_courtesy) and matter(self.bare) < _LEAST_JUDGED:
            return True
        if self.is_quotation or self.is_courtesy or (needs_pages and not self.lacks_page) or said_as_view(self.bare):
            return False
        return any(each.doubtful and not each.grounded for each in self.judged)

    def certain_rules(self, *, spoken_of: Collection[str]) -> list[str]:
        """Return the rules that no verifier is asked about; a name that stands in what is `spoken_of` is no secret."""
        known = frozenset(word for text in spoken_of for word in words(text))
        return [reason.kind for reason in self._reasons() if _is_certain(reason, known)]

    @property
    def _is_verbatim(self) -> bool:
        return bool(self.judged) and all(each.verbatim for each in self.judged)

    def _leaks(self, verdict: SentenceVerdict) -> bool:
        """A courtesy tells nothing, whatever its score."""
        is_weighed = {reason.kind for reason in verdict.reasons} <= _WEIGHED
        return verdict.leaks and not (is_weighed and self.is_courtesy)

    def _reasons(self) -> Iterator[Reason]:
        for each in self.judged:
            yield from each.reasons


class GuardFindings:
    """Asks the guard about a draft, and brings what it says to the draft's own sentences."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    async def of(
        self,
        text: str,
        said: Sequence[DraftSentence],
        question: Question,
        *,
        pages: Mapping[int, str],
        with_clauses: bool,
    ) -> list[Looked]:
        """Look at a draft and its sentences; `pages` are the texts of the read pages that it cites.

        `with_clauses`, what hangs on a true statement is judged by itself too.
        """
        judged = (await self._judge(text, question)).sentences
        apart = await self._apart(text, said, question, pages) if with_clauses else [()] * len(said)
        return await off_loop(text, _looked, said, judged, apart, pages=pages, names=speakers_of(question))

    async def _judge(self, text: str, question: Question) -> Judgement:
        return await self._guard.judge(
            text,
            book=question.book,
            position=question.position,
            question=question.text,
            speakers=speakers_of(question),
        )

    async def _apart(
        self, text: str, said: Sequence[DraftSentence], question: Question, pages: Mapping[int, str]
    ) -> Sequence[Sequence[SentenceVerdict]]:
        """Judge the clauses of sentences that have several: what is read must not cover for what hangs on it.

        One that itself rests on the pages that its sentence cites hangs on nothing.
        """
        of_sentences = await off_loop(text, lambda: [clauses(" ".join(each.text.split())) for each in said])
        several = [parts if len(parts) > 1 else [] for parts in of_sentences]
        flat = list(chain.from_iterable(several))
        if not flat:
            return [()] * len(said)
        judged = (await self._judge("\n\n".join(flat), question)).sentences
        return await off_loop(text, _hanging, judged, said, several, pages)


def _looked(
    said: Sequence[DraftSentence],
    judged: Sequence[SentenceVerdict],
    apart: Sequence[Sequence[SentenceVerdict]],
    *,
    pages: Mapping[int, str],
    names: Collection[str],
) -> list[Looked]:
    """Bring what was judged of a draft to its own sentences."""
    cited = check_citations([each.text for each in said], pages)
    of_sentences = _verdicts_of(judged, _reaches(judged, [sentence.text for sentence in said]), len(said))
    return [
        Looked(
            said=sentence,
            bare=bare,
            judged=of_sentences[at],
            apart=apart[at],
            cited=checked,
            is_courtesy=is_courtesy(bare),
        )
        for at, (sentence, checked) in enumerate(zip(said, cited, strict=True))
        for bare in [without_address(checked.text, names)]
    ]


def _hanging(
    judged: Sequence[SentenceVerdict],
    said: Sequence[DraftSentence],
    several: Sequence[Sequence[str]],
    pages: Mapping[int, str],
) -> Sequence[Sequence[SentenceVerdict]]:
    """Return for each sentence what was judged of those of its clauses that hang on another."""
    hanging = [_hangs(part, each.text, pages) for each, parts in zip(said, several, strict=True) for part in parts]
    of_part = [at for at, parts in enumerate(several) for _ in parts]
    found: list[list[SentenceVerdict]] = [[] for _ in said]
    for verdict, reach in zip(judged, _reaches(judged, list(chain.from_iterable(several))), strict=True):
        owners = of_part[reach.start : reach.stop] if any(hanging[reach.start : reach.stop]) else []
        for at in dict.fromkeys(owners):
            found[at].append(verdict)
    return found


def _verdicts_of(
    judged: Sequence[SentenceVerdict], reaches: Sequence[range], count: int
) -> Sequence[Sequence[SentenceVerdict]]:
    """Return the verdicts that reach into each sentence, in one pass over them."""
    everywhere = range(count)
    if all(reach == everywhere for reach in reaches):
        return [judged] * count
    found: list[list[SentenceVerdict]] = [[] for _ in everywhere]
    for verdict, reach in zip(judged, reaches, strict=True):
        for at in reach:
            found[at].append(verdict)
    return found


def _hangs(clause: str, sentence: str, pages: Mapping[int, str]) -> bool:
    """Whether a clause does not rest by itself on the pages that its sentence cites."""
    return not rests_on(clause, {page: pages[page] for page in cited_pages(sentence) if page in pages})


def _reaches(judged: Sequence[SentenceVerdict], said: Sequence[str]) -> list[range]:
    """Return which sentences each verdict is of; where nobody can tell, what is said of one is said of all."""
    within = places([words(plain(each.text)) for each in judged], [words(plain(each)) for each in said])
    return within or [range(len(said))] * len(judged)


def speakers_of(question: Question) -> frozenset[str]:
    """Return the names of those who spoke in a question's conversation."""
    authors = (question.message.author, question.author, *(message.author for message in question.history))
    # A thread has many messages of a few people.
    names = {each.display_name for each in authors if each is not None and each.display_name}
    return frozenset(map(called, names))


def _is_certain(reason: Reason, known: frozenset[str]) -> bool:
    if reason.kind != "name":
        return reason.kind in _CERTAIN
    return reason.page is not None and not known.issuperset(words(reason.evidence))
