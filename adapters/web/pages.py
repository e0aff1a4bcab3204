"""Renders HTML from templates; every value is escaped."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from adapters.platform.buttons import button_id
from adapters.platform.solo import STATES as REACTIONS
from adapters.web.markup import Citable, as_html
from adapters.web.talk import EntryPart, TalkEntry, Where
from core.catalogue.sentences import say, say_count, sentence
from core.club.browser.reader_view import ReadPage, ReadSoFar, SeenChapter
from core.domain.progress import percent
from core.language.sentences import paragraphs

_FOLDER: Final = Path(__file__).resolve().parent
STATIC: Final = _FOLDER / "static"
_LONGEST_BUTTON: Final = 400
STATES: Final = {
    "waiting": sentence("waiting"),
    "searching": sentence("searching"),
    "found": sentence("found"),
    "nothing": sentence("found nothing"),
    "answered": sentence("answered"),
    "failed": sentence("failed"),
}
"""The words for each state, beside its emoji."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A chapter in the progress picture: its start, its length and its read part.

    All are in thousandths of the book.
    """

    number: int
    start: float
    length: float
    read: float


@lru_cache(maxsize=1)
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(say=say, say_count=say_count, states=STATES, reactions=REACTIONS)
    return made


def page(name: str, **given: object) -> str:
    """Render a template: a whole page or a fragment."""
    return _templates().get_template(f"{name}.html").render(given)


def entry_html(entry: TalkEntry, seen: ReadSoFar | None) -> str:
    """Render an entry of the talk, as far as it may be seen at the current page."""
    position = None if seen is None else seen.position
    citable = citable_in(seen if entry.where is Where.TALK else None)
    away = max(entry.put_away(position), entry.asked_at if entry.is_hidden(position) else 0)
    return page(
        "entry",
        entry=entry,
        said="" if entry.is_hidden(position) else entry.said,
        parts=[_shown(part, citable) for part in entry.seen(position)],
        away=seen.name(away) if seen is not None and 0 < away <= len(seen.names) else "",
        is_pair=entry.is_pair and not away,
    )


def leaf_html(leaf: ReadPage, seen: ReadSoFar) -> str:
    """Render a page of the book; the heading of a chapter that starts on it is set apart."""
    text = paragraphs(leaf.text)
    begins = leaf.chapter is not None and leaf.chapter.first_page == leaf.page
    heading = text.pop(0) if begins and text and _is_heading(text[0], leaf.chapter) else ""
    return page("leaf", leaf=leaf, seen=seen, heading=heading, paragraphs=text)


def place_html(seen: ReadSoFar) -> str:
    """Render the progress, as a picture and in words."""
    return page("place", seen=seen, stretches=stretches(seen), percent=share(seen), spent=_finished_chapters(seen))


def progress_of(seen: ReadSoFar) -> dict[str, object]:
    """Return the progress as the page's script takes it."""
    return {"position": seen.read, "isSet": seen.position is not None, "html": place_html(seen)}


def share(seen: ReadSoFar) -> int:
    """Return how much of the story is read, in percent."""
    return percent(min(seen.read, seen.pages), seen.pages)


def stretches(seen: ReadSoFar) -> list[Stretch]:
    """Return the chapters for the progress picture; the whole book if there are none."""
    chapters = seen.chapters or (SeenChapter(number=0, first_page=1, last_page=seen.pages),)
    unit = 1000 / max(seen.pages, 1)
    return [
        Stretch(
            number=one.number,
            start=round((one.first_page - 1) * unit, 1),
            length=round(max(one.last_page - one.first_page + 1, 0) * unit, 1),
            read=round(min(max(seen.read - one.first_page + 1, 0), one.last_page - one.first_page + 1) * unit, 1),
        )
        for one in chapters
    ]


def citable_in(seen: ReadSoFar | None) -> Citable:
    """Return the pages that citations may link to."""
    if seen is None:
        return Citable(pages={})
    pages = dict[str, int]()
    for number, name in enumerate(seen.names[: seen.read], start=1):
        pages.setdefault(name, number)
    return Citable(pages=pages)


def spans(chapters: Sequence[SeenChapter]) -> str:
    """Return the chapters' numbers and pages, without titles, for the slider: `1,1,6;2,7,12`."""
    return ";".join(f"{one.number},{one.first_page},{one.last_page}" for one in chapters)


def _shown(part: EntryPart, citable: Citable) -> dict[str, object]:
    buttons = [
        {
            "id": button_id(choice, longest=_LONGEST_BUTTON),
            "label": choice.label,
            "is_main": choice.confirms and not choice.is_dangerous,
            "is_dangerous": choice.is_dangerous,
        }
        for choice in part.choices
    ]
    return {"kind": part.kind, "html": as_html(part.text, citable), "footer": part.footer, "buttons": buttons}


def _is_heading(paragraph: str, chapter: SeenChapter | None) -> bool:
    title = (chapter.title or "") if chapter is not None else ""
    return bool(title) and " ".join(paragraph.split()).casefold() == " ".join(title.split()).casefold()


def _finished_chapters(seen: ReadSoFar) -> int:
    """Return the number of chapters that are read to their end."""
    return sum(chapter.last_page <= seen.read for chapter in seen.chapters)
