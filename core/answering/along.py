"""Chooses the pages that go along with a question to a model, beside those that a search finds (ADR 18).

Members mostly talk about what they have just read, and some kinds of question are about pages that none of their words
name: a chapter, a person, the story so far, the last answer.
"""

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Final

from core.answering.extracts.answers import answer_to
from core.answering.extracts.named_parts import named_pages
from core.answering.extracts.read_text import ReadText
from core.answering.read_book import ReadBook
from core.domain.conversation import Role
from core.domain.passage import SearchResult
from core.domain.question import Question
from core.domain.understanding import Intent
from core.guard.citations import cited_pages
from core.understanding.asked import Kind, asked, understood

_JUST_READ: Final = 2
"""How many of the last pages read go along with every question."""
_MOST_JUST_READ: Final = 4
_MOST: Final = 8
"""How many passages go along for the last answer and the kind of a question."""
_OF_LAST_ANSWER: Final = frozenset({Intent.MORE, Intent.COMPLAINT})


async def passages_along(question: Question, book: ReadBook) -> tuple[SearchResult, ...]:
    """Return the passages that a question may be about, whatever its words. All come through the page gate.

    For a follow-up these are first those of the last answer's pages, then those for the kind of question, then the last
    ones read.
    """
    read = await book.text()
    before, of_kind = _pages_of_last_answer(question), _pages_of_kind(question, read)
    just_read = range(read.last_page - _JUST_READ + 1, read.last_page + 1)
    passages = await book.passages(*{*before, *of_kind, *just_read})
    first = _spread(_on(before, passages), most=_MOST // 2 if of_kind else _MOST)
    then = _spread(_on(of_kind, passages), most=_MOST - len(first))
    latest = _on(just_read, passages)[-_MOST_JUST_READ:]
    return tuple({passage.chunk_id: passage for passage in (*first, *then, *latest)}.values())


def _pages_of_last_answer(question: Question) -> Collection[int]:
    """Return the pages that the last answer cites if the question takes up what was said before."""
    if question.query == question.text and understood(question).intent not in _OF_LAST_ANSWER:
        return ()
    last = next((each.content for each in reversed(question.history) if each.role is Role.ASSISTANT), "")
    return cited_pages(last)


def _pages_of_kind(question: Question, read: ReadText) -> Collection[int]:
    """Return the read pages of the chapter that a question is about, else those of its answer without a model."""
    kind = asked(understood(question), question.text, about=question.query.removeprefix(question.text))
    if kind is None:
        return ()
    named: Sequence[range] = ()
    if kind.kind is Kind.CHAPTER:
        named = named_pages(question.text, read) or ()
    elif kind.kind is Kind.THIS_CHAPTER and (now := read.chapter_of(read.last_page)):
        named = (range(now.first_page, read.last_page + 1),)
    found = None if named else answer_to(kind, read)
    return found.pages if found else [*chain.from_iterable(named)]


def _on(pages: Collection[int], passages: Sequence[SearchResult]) -> list[SearchResult]:
    return [passage for passage in passages if passage.start_page in pages]


def _spread(passages: Sequence[SearchResult], *, most: int) -> list[SearchResult]:
    """Return at most so many passages, over their whole length: of a chapter the beginning, the middle and the end."""
    if len(passages) <= most:
        return list(passages)
    return [passages[round(at * (len(passages) - 1) / (most - 1))] for at in range(most)]
