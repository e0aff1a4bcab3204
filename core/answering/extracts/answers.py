"""Answers to kinds of questions that need no search and no model, made from read sentences alone.

Page numbers are citations in brackets, `(p. 12)`, so that printed labels can replace them. A question without an answer
gives None.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Final

from core.answering.extracts.cast import cast, people
from core.answering.extracts.character_card import listed, portrait, standing
from core.answering.extracts.found_answer import FoundAnswer, cited, pages_of, put_together, quotation
from core.answering.extracts.in_short import noted, rendered
from core.answering.extracts.introductions import introductions
from core.answering.extracts.meaning import in_its_sentence
from core.answering.extracts.names import is_title, without_title
from core.answering.extracts.passages import shortened, stretch
from core.answering.extracts.people import (
    Mentions,
    find_somebody,
    sentence_with,
)
from core.answering.extracts.places import taken_apart
from core.answering.extracts.read_text import ReadSentence, ReadText, chapter_name, chapter_title
from core.answering.extracts.recap_extracts import Stretch, telling_stretches
from core.answering.extracts.story import capital, ending, recap
from core.catalogue.sentences import say, say_count
from core.domain.book import Chapter
from core.domain.note import Note
from core.guard.draft import MOST_WORDS
from core.understanding.asked import Asked, Kind

_LAST_WORDS: Final = 50
MOST_OF_CAST: Final = 12
_INTRODUCTIONS: Final = 2
_BEFORE_FIRST: Final = 2
_MOST_OF_MEETING: Final = 100
_MOST_OF_SOMEBODY: Final = 60
_FIRST_LOOKED_AT: Final = 12
_FEWEST_OF_STORY: Final = 3
_OF_NOTE: Final = re.compile(r"\W*\d+\s?[A-Z]")
_STRETCHES_OF_CHAPTER: Final = 4
_NAMES_OF_CHAPTER: Final = 4


def answer_to(asked: Asked, read: ReadText, notes: Sequence[Note] = ()) -> FoundAnswer | None:
    """Return the answer to a question of a known kind; None where the read pages have none.

    Notes for it (`NoteShelf.of_kind`) come first.
    """
    return _FINDERS[asked.kind](read, asked, notes) if read.pages else None


def who(read: ReadText, subject: str, notes: Sequence[Note] = ()) -> FoundAnswer | None:
    """Return who a person is: how they are introduced, how often they come up, and their first and last page.

    If no sentence introduces the person, the passage where they first come up is quoted.
    """
    if both := _both(read, subject):
        return both
    mentions = find_somebody(read, subject)
    if mentions is None:
        return None
    if notes:
        return portrait(read, mentions, told=rendered(notes))
    quoted, is_told = introductions(read, mentions, most=_INTRODUCTIONS)
    if not quoted:
        return first_meeting(read, subject, most_words=_MOST_OF_SOMEBODY)
    met = None if is_told else _first_named(read, mentions)
    shown = quoted if met is None else [_around_first_mention(read, met, mentions, most_words=_MOST_OF_SOMEBODY)]
    pages = [page for each in shown for page in pages_of(each)]
    return put_together(standing(mentions), *map(quotation, shown), pages=pages)


def _both(read: ReadText, subject: str) -> FoundAnswer | None:
    """Return who two people are, for "A and B"; None where one of them is not found."""
    one, both, other = subject.partition(" and ")
    one = f"{one} {without_title(other)}" if is_title(one) else one
    told = [who(read, each) for each in (one, other)] if both and " and " not in other else []
    found = [each for each in told if each]
    if len(found) < len(told) or not found:
        return None
    return put_together(*(each.text for each in found), pages=[page for each in found for page in each.pages])


def everybody(read: ReadText, notes: Sequence[Note] = ()) -> FoundAnswer | None:
    """Return the list of people who come up most on the pages read."""
    found = cast(read, most=MOST_OF_CAST)
    if not found:
        return None
    pages = [each.pages[0] for each in found]
    return put_together(say("Who has come up so far:"), listed(found, notes), pages=pages)


def first_meeting(read: ReadText, subject: str, *, most_words: int = _MOST_OF_MEETING) -> FoundAnswer | None:
    """Quote the passage where a person or thing first comes up."""
    mentions = find_somebody(read, subject)
    if mentions is None:
        return None
    first = _first_named(read, mentions)
    if first is None:
        return None
    shown = _around_first_mention(read, first, mentions, most_words=most_words)
    chapter = read.chapter_of(first)
    name = f"**{mentions.name}**"
    if chapter is None:
        # Note: {page} is a citation in brackets, such as (p. 12).
        head = say("{name} first comes up {page}:", name=name, page=cited(first))
    else:
        head = say(
            "{name} first comes up in {chapter} {page}:", name=name, chapter=chapter_name(chapter), page=cited(first)
        )
    return put_together(head, quotation(shown), pages=pages_of(shown))


def _first_named(read: ReadText, mentions: Mentions) -> int | None:
    """Return the first page with a sentence that names somebody; None where headings alone do."""
    named = [
        (page, found) for page in mentions.pages[:_FIRST_LOOKED_AT] if (found := sentence_with(read, page, mentions))
    ]
    told = (page for page, found in named if _is_story(found))
    return next(told, named[0][0] if named else None)


def _is_story(sentence: ReadSentence) -> bool:
    """Whether a sentence is part of the story and not a signature or a footnote."""
    return sentence.words >= _FEWEST_OF_STORY and _OF_NOTE.match(sentence.text) is None


def chapter_recap(
    read: ReadText, chapter: Chapter, *, told: str = "", notes: Sequence[Note] = ()
) -> FoundAnswer | None:
    """Quote the sentences that tell most of the read part of a chapter, below its summary `told` if there is one.

    Where there are notes on it, they come first, with one passage of their pages.
    """
    last = min(chapter.last_page, read.last_page)
    chosen = telling_stretches(
        read, chapter.first_page, last, most=_STRETCHES_OF_CHAPTER, words=MOST_WORDS // _STRETCHES_OF_CHAPTER
    ) or _beginning(read, chapter.first_page, last)
    if not chosen:
        return None
    named = ", ".join(people(read, chapter.first_page, last, most=_NAMES_OF_CHAPTER))
    head = _head_of(chapter, named, is_read=last == chapter.last_page)
    if notes:
        return noted(head, f"{told}\n\n{rendered(notes)}".strip(), read)
    return put_together(head, told, *map(quotation, chosen), pages=[page for each in chosen for page in pages_of(each)])


def _head_of(chapter: Chapter, named: str, *, is_read: bool) -> str:
    """Return the heading of a chapter's recap: its name, whether it is read to its end, and its people."""
    name, title = capital(chapter_name(chapter)), chapter_title(chapter)
    called = f"**{name}** ({title})" if title and title != name else f"**{name}**"
    if is_read:
        return say("{chapter}, with {names}:", chapter=called, names=named) if named else f"{called}:"
    if named:
        return say("{chapter}, as far as you've read, with {names}:", chapter=called, names=named)
    return say("{chapter}, as far as you've read:", chapter=called)


def chapter_end(read: ReadText, chapter: Chapter, *, ends: bool) -> FoundAnswer | None:
    """Quote the beginning or the end of a chapter; None where that is not read."""
    if ends and chapter.last_page > read.last_page:
        return None
    prose = _last_of(read, chapter) if ends else _first_of(read, chapter)
    passage = stretch(prose)
    if passage is None:
        return None
    name, page = capital(chapter_name(chapter)), passage.last_page if ends else passage.page
    if ends:
        head = say("{chapter} ends {page}:", chapter=name, page=cited(page))
    else:
        head = say("{chapter} begins {page}:", chapter=name, page=cited(page))
    return put_together(head, quotation(passage.sentences, cites=False), pages=pages_of(passage.sentences))


def _first_of(read: ReadText, chapter: Chapter) -> list[ReadSentence]:
    """Return the sentences of a chapter's first two pages that are read, without headings."""
    last = min(chapter.first_page + 1, chapter.last_page, read.last_page)
    return [each for each in read.sentences(chapter.first_page, last) if not each.is_heading]


def _last_of(read: ReadText, chapter: Chapter) -> list[ReadSentence]:
    """Return the last sentences of a chapter, as many as may be quoted, without those of the next chapter."""
    sentences = read.sentences(max(chapter.last_page - 1, chapter.first_page), chapter.last_page)
    headings = [at for at, each in enumerate(sentences) if each.is_heading]
    is_shared = any(each.first_page == chapter.last_page and each != chapter for each in read.chapters)
    if is_shared and headings:
        sentences = sentences[: headings[-1]]
    prose = [each for each in sentences if not each.is_heading]
    words = accumulate(each.words for each in reversed(prose))
    return prose[len(prose) - sum(total <= MOST_WORDS for total in words) :]


def _beginning(read: ReadText, first_page: int, last_page: int) -> list[Stretch]:
    """Return the first sentences of some pages, for pages without telling stretches."""
    begins = stretch(read.sentences(first_page, last_page))
    return [begins.sentences[:_STRETCHES_OF_CHAPTER]] if begins else []


def just_now(read: ReadText) -> FoundAnswer | None:
    """Quote the last sentences read."""
    shown = ending(read, MOST_WORDS)
    if not shown:
        return None
    head = say("The last words you read {page}:", page=cited(shown[-1].last_page))
    return put_together(head, quotation(shown, cites=False), pages=pages_of(shown))


def where_we_stopped(read: ReadText) -> FoundAnswer | None:
    """Return the current page and chapter, and quote the last words read."""
    chapter = read.chapter_of(read.last_page)
    page, name = cited(read.last_page), chapter_name(chapter) if chapter else ""
    if chapter is None:
        head = say("You've read up to here {page}. The last words:", page=page)
    elif chapter.last_page == read.last_page:
        head = say("You've read up to here {page}, at the end of {chapter}. The last words:", page=page, chapter=name)
    else:
        head = say("You've read up to here {page}, in {chapter}. The last words:", page=page, chapter=name)
    shown = ending(read, _LAST_WORDS)
    return put_together(head, quotation(shown, cites=False), pages=pages_of(shown))


def how_far(read: ReadText) -> FoundAnswer | None:
    """Return how many pages are left in the current chapter."""
    chapter = read.chapter_of(read.last_page)
    if chapter is None:
        return None
    left = chapter.last_page - read.last_page
    name, page = capital(chapter_name(chapter)), cited(read.last_page)
    if not left:
        text = say("{chapter} ends where you are {page}.", chapter=name, page=page)
    else:
        text = say_count(
            "{chapter} goes on for {number} more page: from where you are {page} to its end {last_page}.",
            "{chapter} goes on for {number} more pages: from where you are {page} to its end {last_page}.",
            left,
            chapter=name,
            page=page,
            last_page=cited(chapter.last_page),
        )
    return FoundAnswer(text=text, pages=(read.last_page,))


def _around_first_mention(read: ReadText, page: int, mentions: Mentions, *, most_words: int) -> Sequence[ReadSentence]:
    """Return the first sentence of a page that names a person, with the sentences around it."""
    around = [each for each in taken_apart(read.sentences(page - 1, page + 1)) if each.last_page >= page]
    sentences = [each for each in around if not each.is_heading]
    at = _first_naming(sentences, mentions)
    passage = stretch(sentences[_paragraph_before(sentences, at) :], most_words=most_words)
    if passage is None or sentences[at] not in passage.sentences:
        passage = stretch(sentences[at:], most_words=most_words)
    return passage.sentences if passage else [shortened(sentences[at], mentions.pattern)]


def _first_naming(sentences: Sequence[ReadSentence], mentions: Mentions) -> int:
    """Return the index of the first sentence that names a person, preferring sentences of the story."""
    named = [at for at, each in enumerate(sentences) if mentions.pattern.search(each.text)]
    return next((at for at in named if _is_story(sentences[at])), named[0])


def _paragraph_before(sentences: Sequence[ReadSentence], at: int) -> int:
    """Return the index of the first of the few sentences just before one in its paragraph."""
    begin = at
    while begin > max(at - _BEFORE_FIRST, 0) and sentences[begin - 1].paragraph == sentences[at].paragraph:
        begin -= 1
    return begin


def chapter_asked(read: ReadText, asked: Asked) -> Chapter | None:
    """Return the begun chapter that a question is about; None where there is none."""
    match asked.kind:
        case Kind.CHAPTER:
            chapters: Sequence[Chapter | None] = read.chapters_meant(asked.chapter, called=asked.called)
        case Kind.LAST_CHAPTER:
            chapters = [each for each in read.chapters if each.last_page <= read.last_page]
        case Kind.THIS_CHAPTER:
            chapters = [read.chapter_of(read.last_page)]
        case _:
            chapters = ()
    return chapters[-1] if chapters else None


def _chapter(read: ReadText, asked: Asked, notes: Sequence[Note]) -> FoundAnswer | None:
    """Return the recap of a chapter, or its beginning or end where the question asks for that."""
    chapter = chapter_asked(read, asked)
    if chapter is None:
        return None if asked.kind is Kind.CHAPTER else just_now(read)
    if asked.end and asked.kind is not Kind.THIS_CHAPTER:
        return chapter_end(read, chapter, ends=asked.end == "ends")
    return chapter_recap(read, chapter, notes=notes)


_FINDERS: Final[Mapping[Kind, Callable[[ReadText, Asked, Sequence[Note]], FoundAnswer | None]]] = {
    Kind.CAST: lambda read, _asked, notes: everybody(read, notes),
    Kind.WHO: lambda read, asked, notes: who(read, asked.subject, notes),
    Kind.FIRST: lambda read, asked, _notes: first_meeting(read, asked.subject),
    Kind.RECAP: lambda read, _asked, notes: recap(read, notes=notes),
    Kind.CHAPTER: _chapter,
    Kind.LAST_CHAPTER: _chapter,
    Kind.THIS_CHAPTER: _chapter,
    Kind.JUST_NOW: lambda read, _asked, _notes: just_now(read),
    Kind.STOPPED: lambda read, _asked, _notes: where_we_stopped(read),
    Kind.HOW_FAR: lambda read, _asked, _notes: how_far(read),
    Kind.MEANING: lambda read, asked, _notes: in_its_sentence(read, asked.subject),
}
