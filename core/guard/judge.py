"""One text judged sentence by sentence at one position: can it be read, the rules, then the score."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.domain.verdict import Judgement, Reason, SentenceVerdict
from core.guard.book_index import BookIndex
from core.guard.claim import Claim, claim_of
from core.guard.disguise import disguised, spelt_by_initials
from core.guard.evidence import window_scores
from core.guard.features import features
from core.guard.normalise import plain, why_coded, why_unreadable
from core.guard.rules import is_verbatim, late_names, unread_runs
from core.guard.score import Weights, leak_chance
from core.guard.style import THIRD_PERSONS, speaks_of_book
from core.guard.tokens import tokens, word_set
from core.text.sentences import sentences

_CERTAIN: Final = 1.0
_FEW_WORDS: Final = 3
_SHORT: Final = 4
_LEAST_COVERED: Final = 0.2
_ENOUGH_WORDS: Final = 6
_MOST_JOINED: Final = 3
_MOST_REASONS: Final = 3
_BEST_WINDOW: Final = 3
_AFFIRMS: Final = THIRD_PERSONS | word_set(
    "yes no yeah yep nope indeed correct exactly right true false absolutely certainly definitely sure precisely not"
    " that's you're it"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exempt:
    """Words that are no names here: those of the book's title and author; a question's, where the book lacks them."""

    title: str
    author: str | None
    always: frozenset[str]
    strangers: frozenset[str]

    @classmethod
    def of(cls, title: str, author: str | None, question: str | None) -> "Exempt":
        """Take the words of what is exempt by name."""
        always = frozenset(tokens(f"{title} {author or ''}").words)
        return cls(title=title, author=author, always=always, strangers=frozenset(tokens(question or "").words))

    def masked(self, text: str) -> str:
        """Return a text with other words for title and author: what is said of them is no matter of the story.

        A title of a single word is often somebody's name, and stays.
        """
        for name, instead in ((self.title, "this book"), (self.author or "", "the author")):
            if len(name.split()) > 1:
                text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", instead, text, flags=re.IGNORECASE)
        return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A text to be judged, and what it answers."""

    text: str
    exempt: Exempt
    question: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Judges texts about one book at one position; pure work on the CPU."""

    index: BookIndex
    last_page: int
    weights: Weights
    strict: bool = False

    def verdicts(self, reply: Reply) -> Judgement:
        """Judge every sentence, alone and, where it says little by itself, with those before it."""
        parts = sentences(plain(reply.text))
        words = [tokens(part).words for part in parts]
        quoted = self._quotations(words)
        judged = [
            self._verdict(part, _context(parts[:at], reply.question), quoted.get(at, ()), reply.exempt)
            for at, part in enumerate(parts)
        ]
        hidden = self._hidden(parts, words, reply.text)
        if hidden is not None and judged:
            first = judged[0]
            judged[0] = replace(first, score=_CERTAIN, leaks=True, doubtful=False, reasons=(*first.reasons, hidden))
        return Judgement(sentences=tuple(judged))

    def revealed_page(self, reply: Reply) -> int | None:
        """Return the highest page of which a rule knows that the text reveals it."""
        parts = sentences(plain(reply.text))
        words = [tokens(part).words for part in parts]
        reasons = [reason for found in self._quotations(words).values() for reason in found]
        for part in parts:
            reasons += late_names(self._claim(part, reply.exempt), self.index, last_page=self.last_page)
        return max((reason.page for reason in reasons if reason.page is not None), default=None)

    def _verdict(self, part: str, context: Sequence[str], quoted: Sequence[Reason], exempt: Exempt) -> SentenceVerdict:
        claim = self._claim(part, exempt)
        if not claim.all_words:
            return _passes(part)
        unreadable = why_unreadable(part, self.index)
        if unreadable is not None:
            return _leaks(part, [Reason(kind="unreadable", page=None, evidence=unreadable)])
        sure = [*quoted, *late_names(claim, self.index, last_page=self.last_page)]
        if sure:
            return _leaks(part, sure)
        if is_verbatim(tokens(part).words, self.index, last_page=self.last_page):
            return replace(_passes(part), grounded=True, verbatim=True)
        return self._weighed(part, claim, self._joined(part, claim, context, exempt))

    def _weighed(self, part: str, claim: Claim, joined: Claim | None) -> SentenceVerdict:
        lines = self.weights.thresholds.at(self.last_page / max(self.index.pages, 1))
        values = features(claim, self.index, last_page=self.last_page)
        grounded = self._is_grounded(values)
        score = self._score(claim, values)
        if joined is not None:
            with_context = self._score(joined, features(joined, self.index, last_page=self.last_page))
            # By itself it says too little to be sure of: a harmless context halves the doubt, a bad one counts whole.
            claim, score = (joined if with_context > score else claim), max(with_context, (score + with_context) / 2)
        tells = score >= (lines.strict if self.strict else lines.balanced)
        reasons = list(self._reasons(claim))[:_MOST_REASONS] if tells else []
        if self.strict and not grounded:
            reasons.append(Reason(kind="ungrounded", page=None, evidence=part))
        return SentenceVerdict(
            text=part,
            score=score,
            leaks=bool(reasons),
            doubtful=not reasons and score >= lines.doubtful,
            grounded=grounded,
            verbatim=False,
            reasons=tuple(reasons),
        )

    def _score(self, claim: Claim, values: Mapping[str, float]) -> float:
        has_unread = self.index.boundary(self.last_page) < self.index.sentences
        return leak_chance(self.weights.leaks, values) if claim.words and has_unread else 0.0

    def _is_grounded(self, values: Mapping[str, float]) -> bool:
        covered = values["read_3"] >= _LEAST_COVERED and not speaks_of_book(values)
        return covered and self.weights.grounded.chance(values) >= self.weights.thresholds.grounded

    def _joined(self, part: str, claim: Claim, context: Sequence[str], exempt: Exempt) -> Claim | None:
        """Return the claim with what stands before it, where it says too little by itself ("He dies.")."""
        if not context or len(claim.words) > _FEW_WORDS:
            return None
        points_back = bool(set(claim.all_words) & THIRD_PERSONS) or claim.all_words[0] in _AFFIRMS
        if not (points_back and not claim.names.any()) and not (claim.names.any() and len(claim.all_words) <= _SHORT):
            return None
        return self._claim(" ".join([*context, part]), exempt)

    def _reasons(self, claim: Claim) -> Iterator[Reason]:
        """Yield what speaks most for a leak: words that come later, pairs that meet only later, and the best window."""
        boundary = self.index.boundary(self.last_page)
        rows = np.argsort(-claim.weights)
        late = [row for row in rows if claim.known[row] and not claim.counts[row, :boundary].any()]
        for row in late[:1]:
            page = int(self.index.stem_first_page[claim.stem_ids[row]])
            yield Reason(kind="term", page=page, evidence=claim.words[row])
        near = claim.counts > 0
        read_rows = [row for row in rows if near[row, :boundary].any()][:_ENOUGH_WORDS]
        for at, one in enumerate(read_rows):
            for other in read_rows[at + 1 :]:
                together = near[one] & near[other]
                if together.any() and not together[:boundary].any():
                    page = int(self.index.sentence_page[int(together.argmax())])
                    yield Reason(kind="pair", page=page, evidence=f"{claim.words[one]} + {claim.words[other]}")
                    break
            else:
                continue
            break
        unread = window_scores(claim, self.index, boundary, _BEST_WINDOW).unread
        best = int(self.index.sentence_page[boundary + int(unread.argmax())]) if len(unread) else None
        yield Reason(kind="meaning", page=best, evidence=claim.text)

    def _claim(self, text: str, exempt: Exempt) -> Claim:
        claim = claim_of(exempt.masked(text), self.index, exempt=exempt.always)
        asked = np.array([word in exempt.strangers for word in claim.words], dtype=bool)
        return replace(claim, strangers=claim.strangers & ~asked)

    def _quotations(self, parts: Sequence[Sequence[str]]) -> dict[int, list[Reason]]:
        """Return the quotations of unread text by the sentence in which each begins: they may run on over its end."""
        words = [(word, at) for at, part in enumerate(parts) for word in part]
        found: dict[int, list[Reason]] = {}
        for first, reason in unread_runs([word for word, _ in words], self.index, last_page=self.last_page):
            found.setdefault(words[first][1], []).append(reason)
        return {at: reasons[:1] for at, reasons in found.items()}

    def _hidden(self, parts: Sequence[str], part_words: Sequence[Sequence[str]], text: str) -> Reason | None:
        words = [word for part in part_words for word in part]
        lines = (tokens(line).words for line in text.splitlines())
        initials = (_initials(words), *(_initials(found[0] for found in each if found) for each in (part_words, lines)))
        word = disguised(words, self.index, last_page=self.last_page) or next(
            filter(None, (spelt_by_initials(each, self.index, last_page=self.last_page) for each in initials)), None
        )
        why = f"{word} in disguise" if word else why_coded(" ".join(parts))
        return None if why is None else Reason(kind="unreadable", page=None, evidence=why)


def _initials(words: Iterable[str]) -> str:
    return "".join(word[0] for word in words)


def _context(before: Sequence[str], question: str | None) -> list[str]:
    """Return what stands before a sentence, as far back as it takes to say something; a question as if it were told."""
    told = [question.replace("?", ".")] if question else []
    found: list[str] = []
    for part in reversed([*told, *before]):
        found.insert(0, part)
        if len(found) >= _MOST_JOINED or sum(len(each.split()) for each in found) >= _ENOUGH_WORDS:
            break
    return found


def _passes(part: str) -> SentenceVerdict:
    return SentenceVerdict(text=part, score=0.0, leaks=False, doubtful=False, grounded=False, verbatim=False)


def _leaks(part: str, reasons: Sequence[Reason]) -> SentenceVerdict:
    return replace(_passes(part), score=_CERTAIN, leaks=True, reasons=tuple(reasons[:_MOST_REASONS]))
