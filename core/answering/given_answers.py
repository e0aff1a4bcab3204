"""Looks up earlier answers and their sources for the buttons under them. Never returns another club's answers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.answering.extracts.passages import in_bold
from core.answering.extracts.read_text import ReadSentence, ReadText
from core.answering.quoting import Quoting
from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.domain.book import Book
from core.domain.conversation import SPOILER, Author, TurnOutcome, TurnStatus
from core.domain.errors import ThusfarError
from core.domain.messages import GONE_MEANWHILE, for_reader
from core.domain.passage import readable
from core.domain.position import Position, footer, page_names
from core.domain.question import IncomingMessage
from core.domain.thread import Thread
from core.guard.citations import QUOTED_LINE, cited_pages, with_labels, without_citations
from core.language.sentences import first_words, sentences
from core.language.words import content_stems, words
from core.ports.books import BookTexts
from core.ports.turn_record import RecordedAnswer, TurnRecord

_SHOWN_WORDS = 60
_GONE: Final = sentence("I can't find that answer any more.")
_MOST_SHOWN: Final = 8
_LEAST_QUOTED: Final = 3
_LEAST_SHARE: Final = 0.4
"""Least share of an answer sentence's content words that a book sentence must contain to count as its source."""
_QUOTATION: Final = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PostableAnswer:
    """An earlier answer that may be posted to its thread.

    Attributes:
        reading_id: the reading that it was given in.
        question: what was asked.
        text: the answer.
        position: the page that the answer may reveal.
        thread_position: the thread's current page.
        footer: names `position` as it is printed in the book.
    """

    reading_id: str
    question: str
    text: str
    position: Position
    thread_position: Position
    footer: str

    @property
    def goes_beyond(self) -> bool:
        """Whether the answer must be hidden as a spoiler."""
        return (self.position or 0) > (self.thread_position or 0)

    @property
    def warning(self) -> str:
        """The visible line above a hidden answer that names its page; empty where nothing is hidden."""
        return say("Beyond this thread's page: {footer}", footer=self.footer) if self.goes_beyond else ""


class Answers:
    """Serves the buttons under answers: sources, more of the book, feedback, spoiler reports, and sharing."""

    def __init__(
        self,
        *,
        record: TurnRecord,
        books: BookTexts,
        threads: ThreadService,
        quoting: Quoting,
    ) -> None:
        self._quoting = quoting
        self._record = record
        self._books = books
        self._threads = threads

    async def sources(self, turn_id: int, *, thread: Thread, member_id: str, own: Position = None) -> list[str]:
        """Return the book sentences that an answer quotes or cites, up to 60 words each, with their pages.

        Only pages are used that the thread has read; for the member's private answers, pages up to `own`, the member's
        own page. If no sentence is found again, returns the beginnings of the passages that the answer was made from.
        """
        answer, book, last_page = await self._searched(turn_id, thread, member_id, own)
        span = readable(book, last_page)
        chunks = await self._books.readable_chunks(span, answer.chunk_ids)
        name = page_names((await self._books.outline(answer.book_id)).at(answer.turn.position))
        read = ReadText(await self._books.pages(span))
        pages = [chunk.start_page for chunk in chunks]
        if shown := excerpts(answer.turn.agent_response or "", read, pages=pages):
            return [say("p. {page}: {text}", page=name(one.page), text=one.text) for one in shown]
        beginnings = [(name(chunk.start_page), first_words(chunk.text, _SHOWN_WORDS)) for chunk in chunks]
        return [say("p. {page}: {text}", page=page, text=text) for page, text in beginnings]

    async def asked(self, turn_id: int, *, thread: Thread, member_id: str) -> RecordedAnswer:
        """Return the recorded question and answer of a turn.

        Raises:
            ThusfarError: it is gone, or it belongs to another member's private conversation.
        """
        answer = await self._answer(turn_id, thread, member_id)
        if not answer.turn.user_query:
            raise ThusfarError(say(_GONE))
        return answer

    async def asked_back(self, turn_id: int, *, thread: Thread) -> IncomingMessage:
        """Return a question whose asker had to choose where the answer goes, with its own thread in this place.

        Raises:
            ThusfarError: it is gone, or was deleted.
        """
        asked = await self._record.answer(turn_id)
        place = replace(thread, thread="").session.removesuffix("/")
        if asked is None or not asked.turn.user_query or not asked.session_id.startswith(place):
            raise ThusfarError(say(GONE_MEANWHILE))
        there, about = asked.session_id.removeprefix(place).split("/", 1)
        return IncomingMessage(
            thread=replace(thread, thread=there),
            author=Author(member_id="", display_name=""),
            text=asked.turn.user_query,
            ref=asked.ref,
            about=about,
        )

    async def more_passages(
        self, turn_id: int, *, skipping: int, thread: Thread, member_id: str, own: Position = None
    ) -> TurnOutcome:
        """Return the next best passages for what a turn searched for, `skipping` those that were shown.

        Only pages are used that everyone who sees the answer has read.
        """
        answer, book, last_page = await self._searched(turn_id, thread, member_id, own)
        outcome = await self._quoting.more_passages(
            answer.searched_for, book=book, position=last_page, skipping=skipping
        )
        return replace(outcome, text=await self._for_reader(outcome.text, answer))

    async def more_here(self, turn_id: int, *, rank: int, thread: Thread, member_id: str, own: Position = None) -> str:
        """Return the passage of a rank (from 0) for what a turn searched for, with the text around it.

        Only pages are used that everyone who sees the answer has read.

        Raises:
            ThusfarError: there is none any more.
        """
        answer, book, last_page = await self._searched(turn_id, thread, member_id, own)
        text = await self._quoting.more_here(answer.searched_for, book=book, position=last_page, rank=rank)
        if text is None:
            raise ThusfarError(say(_GONE))
        return await self._for_reader(text, answer)

    async def _searched(
        self, turn_id: int, thread: Thread, member_id: str, own: Position
    ) -> tuple[RecordedAnswer, Book, int]:
        """Return an answer, its book, and the last page that its readers have read."""
        answer = await self._answer(turn_id, thread, member_id)
        book = await self._books.get(answer.book_id)
        return answer, book, await self._last_page_to_show(answer, thread, member_id, own)

    async def _for_reader(self, text: str, answer: RecordedAnswer) -> str:
        name = page_names((await self._books.outline(answer.book_id)).at(answer.turn.position))
        return in_bold(for_reader(with_labels(text, name)), answer.searched_for)

    async def give_feedback(self, turn_id: int, feedback: int, *, thread: Thread, member_id: str) -> None:
        """Store a member's latest rating of an answer: 1 or -1."""
        await self._answer(turn_id, thread, member_id)
        await self._record.give_feedback(turn_id, feedback, member_id=member_id)

    async def report(self, turn_id: int, *, thread: Thread, member_id: str) -> bool:
        """Record that a member reports an answer as a spoiler, so that later prompts leave it out.

        Returns whether everyone in the thread could see the answer.
        """
        answer = await self._answer(turn_id, thread, member_id, hidden=True)
        await self._record.give_feedback(turn_id, SPOILER, member_id=member_id)
        return answer.session_id.startswith(thread.session)

    async def take_back_report(self, turn_id: int, *, thread: Thread, member_id: str) -> PostableAnswer:
        """Withdraw all spoiler reports of an answer, and return it to be shown again."""
        answer = await self._answer(turn_id, thread, member_id, hidden=True)
        await self._record.take_back_reports(turn_id)
        return await self._as_posted(answer, thread)

    async def postable(self, turn_id: int, *, thread: Thread, member_id: str) -> PostableAnswer:
        """Return a member's own private answer, which they want to share in the thread."""
        answer = await self._answer(turn_id, thread, member_id)
        if not answer.session_id.startswith(thread.private_to(member_id).session):
            raise ThusfarError(say(_GONE))
        return await self._as_posted(answer, thread)

    async def public(self, turn_id: int, *, thread: Thread) -> PostableAnswer:
        """Return a public answer of the thread, for a member who opens it after the thread was moved back."""
        answer = await self._record.answer(turn_id)
        if answer is None or not answer.session_id.startswith(thread.session) or _is_hidden(answer):
            raise ThusfarError(say(_GONE))
        return await self._as_posted(answer, thread)

    async def _as_posted(self, answer: RecordedAnswer, thread: Thread) -> PostableAnswer:
        name = page_names((await self._books.outline(answer.book_id)).at(answer.turn.position))
        return PostableAnswer(
            reading_id=answer.reading_id,
            question=answer.turn.user_query,
            text=for_reader(with_labels(answer.turn.agent_response or "", name)),
            footer=footer(answer.turn.position, name=name),
            position=answer.turn.position,
            thread_position=await self._position(thread, answer),
        )

    async def _answer(self, turn_id: int, thread: Thread, member_id: str, *, hidden: bool = False) -> RecordedAnswer:
        """Return an answer of this thread or of the member's private conversation in it.

        Raises:
            ThusfarError: there is none, or it is hidden and `hidden` is not set.
        """
        answer = await self._record.answer(turn_id)
        theirs = thread.session, thread.private_to(member_id).session
        if answer is None or not answer.session_id.startswith(theirs) or (_is_hidden(answer) and not hidden):
            raise ThusfarError(say(_GONE))
        return answer

    async def _last_page_to_show(self, answer: RecordedAnswer, thread: Thread, member_id: str, own: Position) -> int:
        """Return the last page that the answer's readers have read, both now and when it was given."""
        is_private = answer.session_id.startswith(thread.private_to(member_id).session)
        position = own if is_private and own is not None else await self._position(thread, answer)
        return min(answer.turn.position or 0, position or 0)

    async def _position(self, thread: Thread, answer: RecordedAnswer) -> Position:
        """Return the thread's current page in the answer's reading; None if the thread reads something else now."""
        club = await self._threads.club(thread)
        return club.page_of_all if answer.reading_id == club.reading_id else None


def _is_hidden(answer: RecordedAnswer) -> bool:
    return answer.turn.status is TurnStatus.HIDDEN


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Consecutive sentences of the book on one line, and the page on which they begin."""

    page: int
    text: str


def excerpts(answer: str, read: ReadText, *, pages: Sequence[int]) -> list[Excerpt]:
    """Return excerpts of what an answer quotes or cites, up to 60 words each, in the order of the book.

    Args:
        answer: the text of the answer, with its citations.
        read: the pages read.
        pages: the pages that the answer was made from; the pages that it cites are added.
    """
    named = [page for page in dict.fromkeys((*pages, *cited_pages(answer))) if page in read.by_number]
    if not named:
        return []
    all_sentences = read.sentences(min(named) - 1, max(named) + 1)
    on_pages = [at for at, each in enumerate(all_sentences) if any(each.page <= n <= each.last_page for n in named)]
    found = sorted({*_quoted(answer, all_sentences, on_pages), *_cited(answer, all_sentences, on_pages)})
    return [_excerpt(all_sentences, group) for group in _groups(all_sentences, found)][:_MOST_SHOWN]


def _quoted(answer: str, read: Sequence[ReadSentence], on_pages: Sequence[int]) -> Iterator[int]:
    """Yield the indexes of sentences that the answer quotes, in part or in full."""
    lines = "\n".join(match[1] for match in QUOTED_LINE.finditer(answer))
    pieces = [*sentences(lines), *_QUOTATION.findall(QUOTED_LINE.sub("", answer))]
    wanted = [f" {' '.join(found)} " for piece in pieces if len(found := words(without_citations(piece))) > 1]
    for at in on_pages:
        own = f" {' '.join(words(read[at].text))} "
        if any(_holds(own, each) or _holds(each, own) for each in wanted):
            yield at


def _holds(whole: str, part: str) -> bool:
    """Whether `whole` contains `part`, and `part` is long enough to be a quotation or equals `whole`."""
    return part in whole and (part == whole or len(part.split()) >= _LEAST_QUOTED)


def _cited(answer: str, read: Sequence[ReadSentence], on_pages: Sequence[int]) -> Iterator[int]:
    """Yield, for each sentence of the answer that cites a page, the index of the sentence there that supports it."""
    for claim in sentences(QUOTED_LINE.sub("", answer)):
        pages, stems = cited_pages(claim), content_stems(without_citations(claim))
        held = [
            (len(stems.intersection(read[at].stems)) / len(stems), -at)
            for at in on_pages
            if stems and any(read[at].page <= page <= read[at].last_page for page in pages)
        ]
        if held and max(held)[0] >= _LEAST_SHARE:
            yield -max(held)[1]


def _groups(read: Sequence[ReadSentence], found: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield runs of adjacent sentences of one page, as first and last index, that fit into one excerpt."""
    first = last = -1
    for at in found:
        goes_on = first >= 0 and at == last + 1 and read[at].page == read[first].page
        if goes_on and sum(one.words for one in read[first : at + 1]) <= _SHOWN_WORDS:
            last = at
            continue
        if first >= 0:
            yield first, last
        first = last = at
    if first >= 0:
        yield first, last


def _excerpt(read: Sequence[ReadSentence], group: tuple[int, int]) -> Excerpt:
    """Return a run of sentences as an excerpt, filled up with sentences before it, then with sentences after it."""
    first, last = group
    page, room = read[first].page, _SHOWN_WORDS - sum(one.words for one in read[first : last + 1])

    def fits(at: int) -> bool:
        return 0 <= at < len(read) and read[at].page == page and not read[at].is_heading and read[at].words <= room

    while fits(first - 1):
        first -= 1
        room -= read[first].words
    while fits(last + 1):
        last += 1
        room -= read[last].words
    text = " ".join(one.text for one in read[first : last + 1]).split()
    cut = " …" if len(text) > _SHOWN_WORDS else ""
    return Excerpt(page=page, text=" ".join(text[:_SHOWN_WORDS]) + cut)
