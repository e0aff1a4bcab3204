"""Texts that a model writes for `recap`, `who` and `discuss`: checked like every answer, stored, and paid for once.

Each is written as if for someone who has read to its last page and no further, so anyone who has read that far may
see it. If the draft is unusable, only quotations from the book are shown.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from core.agent.prompts import DISCUSS_QUESTION, RECAP_QUESTION, STORY_QUESTION, WHO_QUESTION, render_prompt
from core.answering.answer_message import AnswerMessage
from core.answering.extracts.in_short import rendered
from core.answering.extracts.people import Mentions
from core.answering.extracts.read_text import ReadText
from core.answering.extracts.recap_extracts import telling_stretches
from core.answering.extracts.story import Span, spans
from core.answering.notes import MOST_FOR_MODEL, NoteShelf
from core.club.commands.open_books import OpenBook
from core.club.commands.values import CommandRequest
from core.domain.club_text import ClubText, TextKind
from core.domain.conversation import Author
from core.domain.folding import folded
from core.domain.keyed_locks import KeyedLocks
from core.domain.messages import CUT_SHORT, IN_THE_BOOKS_LANGUAGE
from core.domain.note import Note
from core.domain.question import IncomingMessage, Reply
from core.guard.citations import cited_pages
from core.language.sentences import word_count
from core.ports.club_texts import ClubTexts

Pages = tuple[int, int]
_MOST_AT_ONCE: Final = 4
"""The most chapters that a model writes for one recap; the others are written when they are asked for."""
_PASSAGES: Final = 8
_WITH_PASSAGES: Final = frozenset({TextKind.RECAP, TextKind.QUESTION})
"""The others are written only where there are notes, over those."""
_WORDS_PER_PASSAGE: Final = 60

_LONGEST_QUESTION: Final = 45
_LONGEST_QUOTATION: Final = 40
_LEAST_QUOTED: Final = 3
_QUOTATION: Final = re.compile(r"^[>\s*\d.]*[\"“„«](?P<quoted>.+)[\"”“»]\W*\(p\.\s*(?P<page>\d+)\)\W*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """The service that drafts and checks answers, with the prompts it needs."""

    answer_message: AnswerMessage
    prompts_dir: Path


class ClubDrafts:
    """Sentences and questions about pages, and reading notes; without a `writer`, only stored ones."""

    def __init__(self, *, texts: ClubTexts, writer: Writer | None, notes: NoteShelf) -> None:
        self._texts = texts
        self._writer = writer
        self._notes = notes
        self._locks = KeyedLocks()

    @property
    def has_writer(self) -> bool:
        """Whether there is a model that writes."""
        return self._writer is not None

    async def sentences(
        self, opened: OpenBook, request: CommandRequest, wanted: Sequence[Span] = ()
    ) -> dict[Pages, str]:
        """Return the sentences about chapters; the latest of the wanted chapters are written if they have none.

        Keys are a chapter's first page and its last read page.
        """
        kept = await self._stored(opened, TextKind.RECAP)
        every = [(span.begins, span.last_page) for span in wanted]
        missing = [pages for pages in every if pages not in kept][-_MOST_AT_ONCE:]
        written = await asyncio.gather(
            *(self._write(opened, request, TextKind.RECAP, pages) for pages in missing if self._writer)
        )
        kept |= dict(zip(missing, written, strict=False))
        return {pages: texts[0] for pages, texts in kept.items() if texts}

    async def story(self, opened: OpenBook, request: CommandRequest, pages: Pages) -> str:
        """Return the sentences about several chapters together; empty without a writer."""
        return "".join(await self._write(opened, request, TextKind.STORY, pages))

    async def person(self, opened: OpenBook, request: CommandRequest, mentions: Mentions) -> str:
        """Return who someone is: sentences of a model as of the last page with the name, else notes; empty for none."""
        notes = await self.about(opened, [mentions])
        pages = mentions.pages[0], mentions.pages[-1]
        told = await self._write(opened, request, TextKind.PERSON, pages, about=mentions) if notes else []
        return "".join(told) or rendered(notes)

    async def telling(self, opened: OpenBook, pages: Sequence[Pages]) -> list[Note]:
        """Return the reading notes that tell most on ranges of pages."""
        return await self._notes.telling(pages, book=opened.club.book, position=opened.position)

    async def about(self, opened: OpenBook, people: Sequence[Mentions]) -> list[Note]:
        """Return the reading notes that say who people are, and what they did last."""
        return await self._notes.about(people, book=opened.club.book, position=opened.position)

    async def write_questions(self, opened: OpenBook, request: CommandRequest, pages: Pages) -> None:
        """Have questions about some pages written, unless there are some."""
        await self._write(opened, request, TextKind.QUESTION, pages)

    async def questions(self, opened: OpenBook, pages: Pages) -> list[str]:
        """Return the stored questions about some pages, each after a quotation."""
        return (await self._stored(opened, TextKind.QUESTION)).get(pages, [])

    async def _stored(self, opened: OpenBook, kind: TextKind, name: str = "") -> dict[Pages, list[str]]:
        """Return the stored texts by their pages; an empty list where the draft was unusable."""
        found: dict[Pages, list[str]] = {}
        for each in await self._texts.of_reading(opened.club.reading_id, kind, last_page=opened.position):
            if each.text.startswith(name):
                text = each.text.removeprefix(name)
                found.setdefault(each.pages, []).extend([text] if text else [])
        return found

    async def _write(
        self, opened: OpenBook, request: CommandRequest, kind: TextKind, pages: Pages, about: Mentions | None = None
    ) -> list[str]:
        """Have a text written, and store what is usable; two concurrent requests get the same."""
        if self._writer is None:
            return []
        name = f"{about.name}\n" if about else ""
        async with self._locks.of((opened.club.reading_id, kind, pages, name)):
            kept = await self._stored(opened, kind, name)
            if pages in kept:
                return kept[pages]
            asked = await self._request(self._writer, opened, kind, pages, about)
            draft = await self._draft(self._writer, opened, request, kind, pages, asked)
            if draft is None:
                return []
            is_text = kind in _LONGEST
            usable = cited_text(draft, kind, pages) if is_text else anchored_questions(draft, opened.read, pages)
            texts = [
                ClubText(kind=kind, first_page=pages[0], last_page=pages[1], text=name + text)
                for text in usable or [""]
            ]
            await self._texts.keep(opened.club.reading_id, texts)
            return usable

    async def _draft(
        self, writer: Writer, opened: OpenBook, request: CommandRequest, kind: TextKind, pages: Pages, asked: str
    ) -> str | None:
        """Return the checked draft of the model; "" if it was rejected, None if the model failed.

        The request has a conversation of its own, without the thread's history.
        """
        message = IncomingMessage(
            thread=request.thread.private_to(f"{kind}-{pages[0]}").reading(opened.club.reading_id),
            author=Author(member_id=request.member.member_id, display_name=""),
            text=asked,
            book_id=opened.club.book.book_id,
            page=pages[1],
            window=1,
        )
        answered = await writer.answer_message.answer(message)
        if isinstance(answered, Reply) or answered.error is not None:
            return None
        return "" if answered.outcome.quotes_only else answered.outcome.text

    async def _request(
        self, writer: Writer, opened: OpenBook, kind: TextKind, pages: Pages, about: Mentions | None
    ) -> str:
        """Return the request to the model, with passages and notes from these pages only."""
        first, last = pages
        most = _PASSAGES if kind in _WITH_PASSAGES else 0
        shown = telling_stretches(opened.read, first, last, most=most, words=_WORDS_PER_PASSAGE) if most else []
        variables = {
            "name": about.name if about else "",
            "first_page": first,
            "last_page": last,
            "passages": [{"page": each[0].page, "text": " ".join(one.text for one in each)} for each in shown],
            "notes": [{"page": each.page, "text": each.text} for each in await self._material(opened, pages, about)],
        }
        return render_prompt(writer.prompts_dir, _PROMPTS[kind], variables)

    async def _material(self, opened: OpenBook, pages: Pages, about: Mentions | None) -> list[Note]:
        """Return the notes for the model, as for someone who has read to the last of the pages."""
        book, (first, last) = opened.club.book, pages
        if about is not None:
            return await self._notes.about([about], book=book, position=last, most=MOST_FOR_MODEL // 2)
        told = [each.pages for each in spans(opened.read, since=first - 1) if each.first_page <= last]
        return await self._notes.telling(told, book=book, position=last, most=MOST_FOR_MODEL)


def cited_text(draft: str, kind: TextKind, pages: Pages) -> list[str]:
    """Return the draft if it is short and cites only these pages; else nothing."""
    text = " ".join(draft.removeprefix(IN_THE_BOOKS_LANGUAGE).removesuffix(CUT_SHORT).split())
    cited = cited_pages(text)
    fits = cited and all(pages[0] <= page <= pages[1] for page in cited) and word_count(text) <= _LONGEST[kind]
    return [text] if fits else []


def anchored_questions(draft: str, read: ReadText, pages: tuple[int, int]) -> list[str]:
    """Return the questions of a draft, each after a quotation that is found on these pages."""
    lines = [line.strip() for line in draft.removeprefix(IN_THE_BOOKS_LANGUAGE).splitlines() if line.strip()]
    return list(_anchored(lines, read, pages))


_PROMPTS: Final = {
    TextKind.RECAP: RECAP_QUESTION,
    TextKind.STORY: STORY_QUESTION,
    TextKind.PERSON: WHO_QUESTION,
    TextKind.QUESTION: DISCUSS_QUESTION,
}
_LONGEST: Final = {TextKind.RECAP: 60, TextKind.STORY: 160, TextKind.PERSON: 60}
"""How many words a text may have."""


def _anchored(lines: list[str], read: ReadText, pages: tuple[int, int]) -> Iterator[str]:
    for line, question in pairwise(lines):
        found = _QUOTATION.match(line)
        if found is None or not question.endswith("?") or word_count(question) > _LONGEST_QUESTION:
            continue
        page, quoted = int(found["page"]), " ".join(found["quoted"].split())
        is_short = _LEAST_QUOTED <= word_count(quoted) <= _LONGEST_QUOTATION
        if is_short and pages[0] <= page <= pages[1] and _is_printed(quoted, read, page, pages[1]):
            yield f"> {quoted} (p. {page})\n{question.lstrip('>*-0123456789. ')}"


def _is_printed(quoted: str, read: ReadText, page: int, last_page: int) -> bool:
    """Whether the words are on a page, or start on it and continue on the next."""
    shown = [read.by_number[each].text for each in (page, min(page + 1, last_page)) if each in read.by_number]
    return _plain(quoted) in _plain(" ".join(shown))


def _plain(text: str) -> str:
    return folded(text).strip('"')
