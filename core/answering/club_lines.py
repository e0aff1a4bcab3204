"""Returns what goes to a model of the club itself, by what a question wants: dates, people met, predictions and quotes.

All of it is for every reader of the answer: nothing sealed, and of the book only pages up to the position. Beyond these
a schedule names the last pages of its sections, as `/schedule show` does.
"""

import asyncio
from collections.abc import Callable
from typing import Final
from zoneinfo import ZoneInfo

from core.answering.extracts.cast import cast
from core.answering.read_book import ReadBook
from core.answering.threads import ThreadService
from core.domain.book import Book
from core.domain.club_state import ClubState
from core.domain.conversation import A_MEMBER, called
from core.domain.position import Position
from core.domain.question import Question
from core.domain.sealed_item import SealedItem, SealedItemKind
from core.domain.understanding import Intent
from core.guard.citations import cited_pages
from core.guard.given_away import is_everyday
from core.language.words import content_stems
from core.ports.guard import Guard
from core.ports.sealed_items import SealedItemRepository
from core.understanding.asked import understood

_OF_DATES: Final = frozenset({Intent.SCHEDULE, Intent.PROGRESS, Intent.HOW_FAR, Intent.STOPPED})
_OF_PEOPLE: Final = frozenset({Intent.CAST, Intent.RECAP, Intent.OPINION, Intent.WHO})
_MOST_PEOPLE: Final = 10
_MOST_SECTIONS: Final = 3
_MOST_ITEMS: Final = 3
_LONGEST_ITEM: Final = 120


class ClubLines:
    """Chooses what of a club goes to a model with a question."""

    def __init__(
        self, *, threads: ThreadService, sealed_items: Callable[[], SealedItemRepository], guard: Guard
    ) -> None:
        self._threads = threads
        self._sealed_items = sealed_items
        self._guard = guard

    async def of(self, question: Question, read: ReadBook) -> str:
        """Return the lines for a question; empty where it wants none of them."""
        lines, message, kept = [await _people(question, read)], question.message, question.conversation
        if kept is not None:
            club = await self._threads.club(message.thread.reading(kept.reading_id), message.author.member_id)
            lines += [_own_page(question, club), _schedule(question, club)]
            lines += [await self._items(question, club, kind) for kind in SealedItemKind]
        return "\n".join(f"[{line}]" for line in lines if line)

    async def _items(self, question: Question, club: ClubState, kind: SealedItemKind) -> str:
        """Return the latest open items of a kind that the question speaks of; an opinion is one of predictions too."""
        is_opinion = kind is SealedItemKind.PREDICTION and understood(question).intent is Intent.OPINION
        if not is_opinion and content_stems(kind).isdisjoint(content_stems(question.text)):
            return ""
        reached = min(club.page_of_all or 0, question.position or 0)
        found = await self._sealed_items().of_reading(club.reading_id, kind)
        opened = (each for each in found if each.opens_at <= reached and not each.had_read_further)
        told = list(filter(None, [await self._item(each, question) for each in opened]))[-_MOST_ITEMS:]
        return f"{kind.capitalize()}s of members, by page: {'; '.join(told)}" if told else ""

    async def _item(self, item: SealedItem, question: Question) -> str:
        """Return an item with its member and page; empty if it names an unread page or certainly tells of one."""
        guard, book, position = self._guard, question.book, question.position or 0
        if max(cited_pages(item.text), default=0) > position:
            return ""
        if await guard.revealed_page(item.text, book=book, position=position) is not None:
            return ""
        name = await name_for_others(item.member_name, guard, book=book, position=position)
        return f"{name} (p. {item.opens_at}) “{item.text[:_LONGEST_ITEM]}”"


async def name_for_others(display_name: str, guard: Guard, *, book: Book, position: Position) -> str:
    """Return a member's name as prompts show it; a nickname that spoils unread pages is replaced.

    A name that real people often have stays, also where somebody in the book has the same.
    """
    name = called(display_name)
    if is_everyday(name) or await guard.revealed_page(name, book=book, position=position) is None:
        return name
    return A_MEMBER


async def _people(question: Question, read: ReadBook) -> str:
    """Return the people who come up most, each with the first page; only where nobody is asked about by name."""
    meaning = understood(question)
    if meaning.intent not in _OF_PEOPLE or (meaning.intent is Intent.WHO and meaning.slots.name):
        return ""
    met = await asyncio.to_thread(cast, await read.text(), most=_MOST_PEOPLE)
    named = ", ".join(f"{each.name} (p. {each.pages[0]})" for each in met)
    return f"Met so far, and where first: {named}" if named else ""


def _own_page(question: Question, club: ClubState) -> str:
    """Return how far the club is where an answer that only the asker sees goes further, by their own page."""
    reached = club.page_of_all or 0
    if question.message.page is None or not reached < (question.position or 0) == club.own_page:
        return ""
    return f"Only {question.author.display_name} sees this answer. The others have read to p. {reached}."


def _schedule(question: Question, club: ClubState) -> str:
    """Return the section that was due last and those that come next, where the question is of dates."""
    kept, meaning = club.schedule, understood(question)
    if kept is None or not (meaning.intent in _OF_DATES or meaning.slots.date):
        return ""
    first = len(kept.sections) - len(kept.coming(club.now))
    told = [
        f"{each.number} (p. {each.last_page}) by {each.day:%A, %-d %B}"
        for each in kept.sections[max(first - 1, 0) : first + _MOST_SECTIONS]
    ]
    today = club.now.astimezone(ZoneInfo(kept.zone))
    return (
        f"Schedule of the club, {len(kept.sections)} sections, each with its last page: section {'; '.join(told)}; "
        f"always at {kept.at:%H:%M}. It is {today:%A, %-d %B %Y, %H:%M}."
    )
