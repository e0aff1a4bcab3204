"""Verdicts on texts: by the guard, by a verifier, and on posts that reveal something."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

ReasonKind = Literal["quote", "name", "term", "pair", "meaning", "ungrounded", "unreadable", "unsupported"]
"""What speaks against a sentence. By rule: it quotes unread text; it has a name that comes later, or nowhere; it cannot
be read. By its score: a word that comes later, two words that meet only later, a passage ahead that says the same. And:
nothing read speaks for it (`strict`); a verifier does not find it in what is read.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a sentence is suspect. `page` is the first unread page that speaks for it; `evidence` is for operators only.

    Neither may reach a model or a member: it tells what lies ahead.
    """

    kind: ReasonKind
    page: int | None
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceVerdict:
    """One sentence: its score (0 to 1, higher leaks more) and what follows from it.

    `doubtful`: in the grey band, where a verifier may decide. `grounded`: it rests on read text. `verbatim`: it stands
    word for word in the read pages.
    """

    text: str
    score: float
    leaks: bool
    doubtful: bool
    grounded: bool
    verbatim: bool
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The verdicts of all sentences of a text, in order; of a text without any sentence, none."""

    sentences: tuple[SentenceVerdict, ...]

    @property
    def leaks(self) -> bool:
        """Whether any sentence leaks."""
        return any(sentence.leaks for sentence in self.sentences)

    @property
    def score(self) -> float:
        """The highest score of all sentences, 0 to 1."""
        return max((sentence.score for sentence in self.sentences), default=0.0)

    @property
    def grounded(self) -> bool:
        """Whether any sentence rests on read text."""
        return any(sentence.grounded for sentence in self.sentences)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The reasons of all sentences, in order."""
        return tuple(reason for sentence in self.sentences for reason in sentence.reasons)


BACKGROUND_MARK: Final = "Outside the book:"
"""How a sentence of general knowledge begins, so that members can tell it from what the pages say."""


class Verify(StrEnum):
    """No sentence, those in doubt, or all that are no quotations; a setting of the process."""

    OFF = "off"
    DOUBT = "doubt"
    ALL = "all"


class Verdict(StrEnum):
    """What a verifier says of one sentence of an answer.

    `OPINION`: a view, said as such, that asserts no event. `TALK`: it states nothing about the book. `ABSTAIN`: it says
    that the pages read do not tell. `BACKGROUND`: general knowledge that needs no page, where that is allowed.
    `GUESS`: it picks an outcome that the pages do not decide. `NOT`: anything else, a doubt included.
    """

    SUPPORTED = "SUPPORTED"
    OPINION = "OPINION"
    TALK = "TALK"
    ABSTAIN = "ABSTAIN"
    BACKGROUND = "BACKGROUND"
    GUESS = "GUESS"
    NOT = "NOT"

    @property
    def may_be_posted(self) -> bool:
        """Whether a sentence with this verdict may be posted."""
        return self not in {Verdict.GUESS, Verdict.NOT}


class Signal(StrEnum):
    """What in a member's post tells more than its thread has read: a quotation, a late name, or a high score."""

    QUOTE = "quote"
    NAME = "name"
    SCORE = "score"
