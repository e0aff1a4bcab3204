"""The story so far: one line for each chapter begun, with its people and some of its sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.answering.extracts.cast import people
from core.answering.extracts.found_answer import FoundAnswer, cited, put_together
from core.answering.extracts.in_short import FROM_NOTES, with_pages
from core.answering.extracts.passages import shortened
from core.answering.extracts.read_text import ReadSentence, ReadText, full_name
from core.answering.extracts.recap_extracts import telling_stretches
from core.catalogue.sentences import say
from core.domain.note import Note
from core.guard.draft import MOST_WORDS

_QUOTED: Final = 4
_SHOWN: Final = 12
_MOST_OF_ONE: Final = 4
_MOST_LINE: Final = 35
_PAGES_OF_SPAN: Final = 20
_NAMES: Final = 4
_LAST_WORDS: Final = 30
_OF_CHAPTERS: Final = MOST_WORDS - _LAST_WORDS

Told = Mapping[tuple[int, int], str]
"""Summaries of chapters, by the chapter's first page and its last read page."""
NOTHING_TOLD: Final[Told] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A chapter begun, or twenty pages of a book without chapters.

    Attributes:
        name: the chapter's name; empty without chapters.
        begins: the page on which it begins in the book.
        first_page: the first page of it that the recap covers.
        last_page: its last read page.
    """

    name: str
    begins: int
    first_page: int
    last_page: int

    @property
    def pages(self) -> tuple[int, int]:
        """The first and the last page that the recap covers."""
        return self.first_page, self.last_page


def spans(read: ReadText, *, since: int = 0) -> list[Span]:
    """Return the chapters begun that have read pages after the page `since`, limited to those pages."""
    last = read.last_page
    found = [(full_name(each), each.first_page, min(each.last_page, last)) for each in read.chapters] or [
        ("", first, min(first + _PAGES_OF_SPAN - 1, last)) for first in range(read.first_page, last + 1, _PAGES_OF_SPAN)
    ]
    return [
        Span(name=name, begins=first, first_page=max(first, since + 1), last_page=end)
        for name, first, end in found
        if end > since
    ]


def shown_spans(read: ReadText, *, since: int = 0) -> list[Span]:
    """Return the latest spans, as many as a recap shows."""
    return spans(read, since=since)[-_SHOWN:]


def recap(
    read: ReadText, *, since: int = 0, told: Told = NOTHING_TOLD, notes: Sequence[Note] = (), whole: str = ""
) -> FoundAnswer | None:
    """Return the story since a page: the latest chapters with quotations, earlier ones with their people.

    The last words read follow at the end. Summaries in `told`, or `notes`, replace the quotations of their chapters;
    `whole` is a summary of them all. None where nothing is read since.
    """
    shown = shown_spans(read, since=since)
    if not shown:
        return None
    lines = [say(FROM_NOTES)] if notes else []
    pages = [note.page for note in notes]
    told = {**_noted(shown, notes), **told}
    quoted = min(len(shown), _QUOTED)
    most = max(min(_MOST_OF_ONE, _QUOTED // quoted), 1)
    for at, span in enumerate(shown, start=1):
        is_quoted = len(shown) - at < quoted
        words, quoted_on = _contents(read, span, told, quotes=most if is_quoted else 0, room=_OF_CHAPTERS // quoted)
        lines.append(_line(read, span) + words)
        pages += quoted_on
    first = max(since + 1, read.first_page)
    read_from = cited(first, read.last_page)
    if since:
        head = say("**The story since then** {pages}:", pages=read_from)
    else:
        head = say("**The story so far** {pages}:", pages=read_from)
    return put_together(head, whole, "\n".join(lines), _stopped_at(read), pages=[*pages, read.last_page])


def _contents(read: ReadText, span: Span, told: Told, *, quotes: int = 0, room: int = 0) -> tuple[str, list[int]]:
    """Return the text of a chapter's line after its people, and the pages quoted in it.

    This is the chapter's summary, or up to `quotes` quotations with `room` words in all.
    """
    if sentence := told.get((span.begins, span.last_page)):
        return f" {sentence}", []
    if not quotes:
        return "", []
    longest = min(room // quotes, _MOST_LINE)
    chosen = telling_stretches(read, span.first_page, span.last_page, most=quotes, words=longest)
    quoted = (f" “{_within(' '.join(each.text for each in one))}” {cited(one[0].page)}" for one in chosen)
    return "".join(quoted), [each.page for one in chosen for each in one]


def _noted(shown: Sequence[Span], notes: Sequence[Note]) -> dict[tuple[int, int], str]:
    """Return the notes on the pages of each span, as its summary."""
    of_span: dict[tuple[int, int], list[Note]] = {}
    for note in notes:
        for span in [each for each in shown if each.first_page <= note.page <= each.last_page][-1:]:
            of_span.setdefault((span.begins, span.last_page), []).append(note)
    return {pages: with_pages(each) for pages, each in of_span.items()}


def earlier(
    read: ReadText, *, since: int, shown: int, told: Told = NOTHING_TOLD, notes: Sequence[Note] = ()
) -> tuple[str, int]:
    """Return the lines of the spans before the last `shown` ones, and how many are shown then; empty if none left."""
    every = spans(read, since=since)
    before = every[max(len(every) - shown - _SHOWN, 0) : max(len(every) - shown, 0)]
    told = {**_noted(before, notes), **told}
    lines = (_line(read, span) + _contents(read, span, told)[0] for span in before)
    return "\n".join([*([say(FROM_NOTES)] if notes else []), *lines]), shown + len(before)


def has_earlier(read: ReadText, *, since: int, shown: int = _SHOWN) -> bool:
    """Whether there are more spans than `shown`."""
    return len(spans(read, since=since)) > shown


def ending(read: ReadText, most_words: int) -> list[ReadSentence]:
    """Return the last sentences read, as many as fit into `most_words`, not beyond a heading."""
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
    """Return the line that quotes the last words read, which may start inside a sentence."""
    words = " ".join(each.text for each in read.sentences(read.last_page, read.last_page)).split()
    cut = "… " if len(words) > _LAST_WORDS else ""
    said = cut + _within(" ".join(words[-_LAST_WORDS:]))
    # Note: {page} is a citation in brackets, such as (p. 12).
    return say("You stopped at: “{words}” {page}", words=said, page=cited(read.last_page)) if words else ""


def capital(name: str) -> str:
    """Return a name with its first letter as a capital."""
    return name[:1].upper() + name[1:]


def _line(read: ReadText, span: Span) -> str:
    who_is_there = ", ".join(people(read, span.first_page, span.last_page, most=_NAMES))
    return f"- **{span.name}** {cited(span.first_page, span.last_page)}: {who_is_there}".replace("**** ", "").rstrip(
        ": "
    ) + ("." if who_is_there else "")


def _within(text: str) -> str:
    """Return a text with its double quotation marks replaced by single ones, to be put between double ones."""
    return text.replace("“", "‘").replace("”", "’")
