"""The story so far: a line a chapter begun, told by who comes up there and by sentences of it."""

from dataclasses import dataclass
from typing import Final

from core.finders.cast import people
from core.finders.found_answer import FoundAnswer, put_together
from core.finders.passages import MOST_WORDS, shortened
from core.finders.read_text import ReadSentence, ReadText, chapter_name
from core.finders.telling import telling_sentences

_QUOTED: Final = 4
_SHOWN: Final = 12
_MOST_LINE: Final = 30
_PAGES_OF_SPAN: Final = 20
_NAMES: Final = 4
_LAST_WORDS: Final = MOST_WORDS - _QUOTED * _MOST_LINE


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A chapter begun, or twenty pages of a book without chapters: its name, and the pages of it that are read."""

    name: str
    first_page: int
    last_page: int


def spans(read: ReadText, *, since: int = 0) -> list[Span]:
    """Return the chapters begun, those that hold a page behind `since`, cut to what is read."""
    last = read.last_page
    found = [
        Span(name=capital(chapter_name(each)), first_page=each.first_page, last_page=min(each.last_page, last))
        for each in read.chapters
    ] or [
        Span(name="", first_page=first, last_page=min(first + _PAGES_OF_SPAN - 1, last))
        for first in range(1, last + 1, _PAGES_OF_SPAN)
    ]
    return [
        Span(name=each.name, first_page=max(each.first_page, since + 1), last_page=each.last_page)
        for each in found
        if each.last_page > since
    ]


def recap(read: ReadText, *, since: int = 0) -> FoundAnswer | None:
    """Tell the latest chapters by a sentence each, some before them by who comes up, and where the reading stopped."""
    told = spans(read, since=since)
    if not told:
        return None
    lines = list[str]()
    pages = list[int]()
    for span in told[-_SHOWN:-_QUOTED]:
        lines.append(_line(read, span))
    for span in told[-_QUOTED:]:
        chosen = telling_sentences(read, span.first_page, span.last_page, most=1, words=_MOST_LINE)
        lines.append(_line(read, span) + "".join(f" “{_within(each.text)}” (p. {each.page})" for each in chosen))
        pages += [each.page for each in chosen]
    head = f"**The story {'since then' if since else 'so far'}** (p. {since + 1} to p. {read.last_page}):"
    return put_together(head, "\n".join(lines), _stopped_at(read), pages=[*pages, read.last_page])


def earlier(read: ReadText, *, since: int, shown: int) -> tuple[str, int]:
    """Return the lines before the last `shown` spans, and how many are shown with them; empty where there are none."""
    told = spans(read, since=since)
    before = told[max(len(told) - shown - _SHOWN, 0) : max(len(told) - shown, 0)]
    return "\n".join(_line(read, span) for span in before), shown + len(before)


def has_earlier(read: ReadText, *, since: int, shown: int = _SHOWN) -> bool:
    """Whether there are more spans than so many."""
    return len(spans(read, since=since)) > shown


def ending(read: ReadText, most_words: int) -> list[ReadSentence]:
    """Return the last sentences read, as many as fit; a heading ends the way back."""
    shown: list[ReadSentence] = []
    room = most_words
    for sentence in reversed(read.sentences(read.last_page - 1, read.last_page)):
        room -= sentence.words
        if room < 0 or (sentence.is_heading and shown):
            break
        shown.insert(0, sentence)
    return shown or [
        shortened(sentence, most_words=most_words) for sentence in read.sentences(read.last_page, read.last_page)[-1:]
    ]


def _stopped_at(read: ReadText) -> str:
    """Quote the last words read, from within a sentence if need be."""
    words = " ".join(each.text for each in read.sentences(read.last_page, read.last_page)).split()
    cut = "… " if len(words) > _LAST_WORDS else ""
    return f"You stopped at: “{cut}{_within(' '.join(words[-_LAST_WORDS:]))}” (p. {read.last_page})" if words else ""


def capital(name: str) -> str:
    """Return a name as it begins a line."""
    return name[:1].upper() + name[1:]


def _line(read: ReadText, span: Span) -> str:
    who_is_there = ", ".join(people(read, span.first_page, span.last_page, most=_NAMES))
    one_page = span.first_page == span.last_page
    where = f"(p. {span.first_page})" if one_page else f"(pp. {span.first_page}-{span.last_page})"
    return f"- **{span.name}** {where}: {who_is_there}".replace("**** ", "").rstrip(": ") + (
        "." if who_is_there else ""
    )


def _within(text: str) -> str:
    """Return a quoted text as it may stand between quotation marks: those of its own become single ones."""
    return text.replace("“", "‘").replace("”", "’")
