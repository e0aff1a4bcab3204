"""Shows what stands outside the story, such as an introduction: by name alone, and only once the story is read."""

import re
from itertools import pairwise
from typing import Final

from core.answering.extracts.passages import rendered, stretch
from core.answering.extracts.places import places_by_words
from core.answering.extracts.read_text import ReadText
from core.answering.read_book import ReadBook
from core.catalogue.sentences import say
from core.domain.book import OutsidePart
from core.domain.conversation import TurnOutcome
from core.domain.folding import folded
from core.domain.messages import plain_name
from core.domain.passage import opened
from core.domain.question import Question
from core.language.words import words

_LEADS_IN: Final = ("the", "this", "in", "from", "read", "show", "of")
"""Before a title of one word, which may else be any word: `the notes`, but not `what notes did he write`."""

_ARTICLES: Final = (["a"], ["an"], ["the"])


async def shown_outside(question: Question, book: ReadBook) -> TurnOutcome | None:
    """Return a passage of the part outside the story that a question names; None for other questions."""
    if (question.position or 0) < (question.book.last_story_page or question.book.pages):
        return None
    outside = (await book.books.outline(question.book.book_id)).outside
    for part in sorted(outside, key=lambda each: -_words_named(question.text, each)):
        span = opened(question.book, part, question.position)
        if span is not None and _words_named(question.text, part):
            return _passage_of(part, question.text, ReadText(await book.books.pages(span)))
    return None


def _passage_of(part: OutsidePart, question: str, read: ReadText) -> TurnOutcome | None:
    pages = [(page.number, 1.0) for page in read.pages]
    found = places_by_words(question, read, pages, most=1)
    passage = found[0] if found else stretch(read.sentences(part.first_page, part.last_page))
    if passage is None:
        return None
    heading = say("From *{title}*, which isn't part of the story:", title=plain_name(part.title))
    return TurnOutcome(text=f"{heading}\n\n{rendered(passage, read)}", quotes_only=True)


def _words_named(question: str, part: OutsidePart) -> int:
    """Return how many words of a part's title name it in a question: all, or the first (`Introduction by E. Hale`).

    0 where the question doesn't name it.
    """
    title, said = words(folded(part.title)), words(folded(question))
    title = title[title[:1] in _ARTICLES :]
    if len(title) > 1 and re.search(rf"\b{re.escape(' '.join(title))}\b", " ".join(said)):
        return len(title)
    first = title[:1]
    is_named = (
        first != []
        and first[0] not in _LEADS_IN
        and any([word] == first and before in _LEADS_IN for before, word in pairwise(said))
    )
    return int(is_named)
