"""Judges a text sentence by sentence for a reader who has read up to one page.

The checks of each sentence, in order: Is it readable (`normalise`)? Does a rule block it or let it pass (`rules`)? If
neither, what is the score of a leak, and does read text support it (`features`, `score`)? A high score gets reasons
(`rules.why_suspect`). Last, the whole text is checked for hidden words from unread pages (`normalise.hidden_word`).

Reading notes only affect the score of a leak. Rules, support and reasons use the book's own text alone.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.domain.folding import as_printed
from core.domain.verdict import BACKGROUND_MARK, Judgement, Reason, SentenceVerdict
from core.guard.book_index import BookIndex, StemIndex
from core.guard.claim import Claim, Written, claim_of, is_name
from core.guard.courtesies import without_address
from core.guard.features import features
from core.guard.normalise import hidden_word, is_known_language, plain, why_coded, why_unreadable
from core.guard.rules import Runs, is_verbatim, late_names, unread_runs, why_suspect
from core.guard.score import FittedScore
from core.guard.style import THIRD_PERSONS, speaks_of_book
from core.guard.words import COMMON_NAMES, tokens, word_set
from core.language.sentences import sentences
from core.language.words import FUNCTION_WORDS, language_of

_CERTAIN: Final = 1.0
_FEW_WORDS: Final = 3
_SHORT: Final = 4
_LEAST_COVERED: Final = 0.2
_ENOUGH_WORDS: Final = 6
_MOST_JOINED: Final = 3
_MOST_REASONS: Final = 3
_AFFIRMS: Final = THIRD_PERSONS | word_set(
    "yes no yeah yep nope indeed correct exactly right true false absolutely certainly definitely sure precisely not"
    " that's you're it"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exempt:
    """Words that do not count as names of the story.

    Attributes:
        always: the words of title and author.
        asked: the words of the question and of the speakers' names. They are allowed if the book does not have them,
            but not if it has them on unread pages.
        names: patterns of title and author, and what stands for each when a text is judged.
        speakers: the names of the people in the conversation.
    """

    always: frozenset[str]
    asked: frozenset[str]
    names: tuple[tuple[re.Pattern[str], str], ...] = ()
    speakers: tuple[str, ...] = ()

    @classmethod
    def of(cls, title: str, author: str | None, question: str | None, speakers: Collection[str] = ()) -> "Exempt":
        """Return the exempt words of a title, an author, a question and the speakers' names."""
        always = frozenset(tokens(f"{title} {author or ''}").words)
        asked = frozenset(tokens(" ".join([question or "", *speakers])).words)
        names = tuple(
            (re.compile(rf"(?<!\w){as_printed(name)}(?!\w)", re.IGNORECASE), instead)
            for name, instead in ((title, "this book"), (author or "", "the author"))
            if len(name.split()) > 1
        )
        return cls(always=always, asked=asked, names=names, speakers=tuple(sorted(speakers)))

    def masked(self, text: str) -> str:
        """Return a text with neutral words for title and author and without addressed speakers.

        A one-word title stays, since it is often a character's name.
        """
        text = without_address(text, self.speakers)
        for name, instead in self.names:
            text = name.sub(instead, text)
        return text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    """A sentence as readers see it, and its words; `begins` is the number of its first word in the text."""

    text: str
    words: tuple[str, ...]
    begins: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Judges texts about one book at one page. CPU work only.

    Attributes:
        index: the index of the book.
        last_page: the last page read.
        fitted: the fitted score.
        strict: whether a sentence leaks if read text does not support it, and a lower score is enough to leak.
        notes: the index of the reading notes; None to use the text alone.
    """

    index: BookIndex
    last_page: int
    fitted: FittedScore
    strict: bool = False
    notes: StemIndex | None = None

    def verdicts(
        self, text: str, exempt: Exempt, *, question: str | None = None, any_language: bool = False
    ) -> Judgement:
        """Return a verdict for every sentence of a text. A short sentence is also judged with those before it.

        `question` is the question that the text answers, if any. With `any_language`, sentences in another language
        than the book's are readable if it is clear which one that is.
        """
        parts = _sentences(text)
        any_language = any_language and self._has_clear_language(parts)
        runs = self._runs(parts)
        quoted = self._quotations(parts, runs)
        judged: list[SentenceVerdict] = []
        for at, part in enumerate(parts):
            before = _context([each.text for each in parts[max(0, at - _MOST_JOINED) : at]], question)
            own = runs.within(part.begins, part.begins + len(part.words))
            unreadable = why_unreadable(part.text, part.words, self.index, any_language=any_language)
            judged.append(self._verdict(part, own, before, quoted.get(at), exempt, unreadable))
        hidden = self._hidden(parts, text, any_language=any_language)
        if hidden is not None and judged:
            first = judged[0]
            judged[0] = replace(first, score=_CERTAIN, leaks=True, doubtful=False, reasons=(*first.reasons, hidden))
        return Judgement(sentences=tuple(judged))

    def revealed_page(self, text: str, exempt: Exempt) -> int | None:
        """Return the highest page that the text reveals by the rules, without a score; None if there is none."""
        parts = _sentences(text)
        reasons = list(self._quotations(parts, self._runs(parts)).values())
        for part in parts:
            reasons += late_names(self._claim(part.text, exempt), last_page=self.last_page)
        return max((reason.page for reason in reasons if reason.page is not None), default=None)

    def is_background(self, text: str, exempt: Exempt) -> bool:
        """Whether a text has no name that was asked about or that the book has on any page, and no score of a leak.

        A name that was asked about is never repeated, so that nobody learns whether the book has it. A word in small
        letters is no name here: what an ayah is may be said although the book writes "Ayah".
        """
        text = exempt.masked(plain(text)).replace(BACKGROUND_MARK, "")
        found = tokens(text)
        has_name = any(
            word in exempt.asked or is_name(word, self.index, Written.INNER_CAPITAL)
            for word, capital in zip(found.words, found.capital, strict=True)
            if capital and word not in COMMON_NAMES and word not in FUNCTION_WORDS
        )
        return not has_name and not self._weighed(text, self._claim(text, exempt), None).leaks

    def _has_clear_language(self, parts: Sequence[_Sentence]) -> bool:
        """Whether the sentences that are not in the book's language are together clearly in some language."""
        foreign = [part.text for part in parts if not is_known_language(part.words, self.index)]
        return language_of(" ".join(foreign)) is not None

    def _verdict(
        self,
        part: _Sentence,
        runs: Runs,
        before: Sequence[str],
        quotation: Reason | None,
        exempt: Exempt,
        unreadable: str | None,
    ) -> SentenceVerdict:
        claim = self._claim(part.text, exempt)
        if not claim.all_words:
            return _passes(part.text)
        if unreadable is not None:
            return _leaks(part.text, [Reason(kind="unreadable", page=None, evidence=unreadable)])
        # Names on unread pages come before unknown ones, since only the first reasons are kept.
        certain = sorted(late_names(claim, last_page=self.last_page), key=lambda reason: reason.page is None)
        if quotation is not None:
            certain.insert(0, quotation)
        if certain:
            return _leaks(part.text, certain)
        if is_verbatim(runs, self.index, last_page=self.last_page):
            return replace(_passes(part.text), grounded=True, verbatim=True)
        return self._weighed(part.text, claim, self._joined(part.text, claim, before, exempt))

    def _weighed(self, text: str, claim: Claim, joined: Claim | None) -> SentenceVerdict:
        """Judge a sentence by its score; `joined` is a short sentence together with those before it."""
        thresholds = self.fitted.noted_thresholds if self.notes is not None else self.fitted.thresholds
        lines = thresholds.at(self.last_page / max(self.index.pages, 1))
        values = features(claim, last_page=self.last_page)
        grounded = self._is_grounded(values)
        score = self._score(claim, values)
        if joined is not None:
            with_context = self._score(joined, features(joined, last_page=self.last_page))
            # A short sentence is uncertain: a harmless context halves its score, a suspicious one replaces it.
            claim, score = (joined if with_context > score else claim), max(with_context, (score + with_context) / 2)
        tells = score >= (lines.strict if self.strict else lines.balanced)
        reasons = why_suspect(claim, last_page=self.last_page) if tells else []
        if self.strict and not grounded:
            reasons.append(Reason(kind="ungrounded", page=None, evidence=text))
        return SentenceVerdict(
            text=text,
            score=score,
            leaks=bool(reasons),
            doubtful=not reasons and score >= lines.doubtful,
            grounded=grounded,
            verbatim=False,
            reasons=tuple(reasons),
        )

    def _score(self, claim: Claim, values: Mapping[str, float]) -> float:
        has_unread = self.index.boundary(self.last_page) < self.index.sentences
        if not claim.words or not has_unread:
            return 0.0
        if self.notes is None:
            return self.fitted.leak_chance(values)
        noted = features(claim.among_notes(self.notes), last_page=self.last_page)
        return self.fitted.leak_chance(values, noted)

    def _is_grounded(self, values: Mapping[str, float]) -> bool:
        covered = values["read_3"] >= _LEAST_COVERED and not speaks_of_book(values)
        return covered and self.fitted.grounded.chance(values) >= self.fitted.thresholds.grounded

    def _joined(self, text: str, claim: Claim, before: Sequence[str], exempt: Exempt) -> Claim | None:
        """Return the claim of a short sentence ("He dies.") together with those before it; None for others."""
        if not before or len(claim.words) > _FEW_WORDS:
            return None
        if claim.names.any():
            says_little = len(claim.all_words) <= _SHORT
        else:
            says_little = claim.all_words[0] in _AFFIRMS or not THIRD_PERSONS.isdisjoint(claim.all_words)
        return self._claim(" ".join([*before, text]), exempt) if says_little else None

    def _claim(self, text: str, exempt: Exempt) -> Claim:
        return claim_of(exempt.masked(text), self.index, exempt=exempt.always, asked=exempt.asked)

    def _runs(self, parts: Sequence[_Sentence]) -> Runs:
        return Runs.of([word for part in parts for word in part.words], self.index)

    def _quotations(self, parts: Sequence[_Sentence], runs: Runs) -> dict[int, Reason]:
        """Return the first quotation of unread text that begins in each sentence; it may continue after its end."""
        sentence_of = [at for at, part in enumerate(parts) for _ in part.words]
        found: dict[int, Reason] = {}
        for first, reason in unread_runs(runs, self.index, last_page=self.last_page):
            found.setdefault(sentence_of[first], reason)
        return found

    def _hidden(self, parts: Sequence[_Sentence], text: str, *, any_language: bool) -> Reason | None:
        """Return why the whole text is blocked: it hides a word or is in code; None if it is not blocked."""
        words = [part.words for part in parts]
        word = hidden_word(text, words, self.index, last_page=self.last_page, any_language=any_language)
        why = f"{word} in disguise" if word else why_coded(" ".join(part.text for part in parts))
        return None if why is None else Reason(kind="unreadable", page=None, evidence=why)


def _sentences(text: str) -> list[_Sentence]:
    found: list[_Sentence] = []
    begins = 0
    for part in sentences(plain(text)):
        found.append(_Sentence(text=part, words=tokens(part).words, begins=begins))
        begins += len(found[-1].words)
    return found


def _context(before: Sequence[str], question: str | None) -> list[str]:
    """Return enough of the sentences before a sentence to be judged with it; a question counts as a statement."""
    told = [question.replace("?", ".")] if question else []
    found: list[str] = []
    for part in reversed([*told, *before]):
        found.insert(0, part)
        if len(found) >= _MOST_JOINED or sum(len(each.split()) for each in found) >= _ENOUGH_WORDS:
            break
    return found


def _passes(text: str) -> SentenceVerdict:
    return SentenceVerdict(text=text, score=0.0, leaks=False, doubtful=False, grounded=False, verbatim=False)


def _leaks(text: str, reasons: Sequence[Reason]) -> SentenceVerdict:
    return replace(_passes(text), score=_CERTAIN, leaks=True, reasons=tuple(reasons[:_MOST_REASONS]))
