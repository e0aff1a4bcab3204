"""Answers that were given, as the buttons under them find them again, and what they rest on; nothing crosses a club."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.answering.extracts.read_text import ReadSentence, ReadText
from core.answering.quoting import Quoting
from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
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
from core.ports.books import BookRepository
from core.ports.turn_record import RecordedAnswer, TurnRecord

_SHOWN_WORDS = 60
_GONE: Final = sentence("I can't find that answer any more.")
_MOST_SHOWN: Final = 8
_LEAST_QUOTED: Final = 3
_LEAST_SHARE: Final = 0.4
"""Least share of a sentence's words of matter that the sentence it was made from must hold."""
_IN_MARKS: Final = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PostableAnswer:
    """A private answer on its way into the thread: its text, and the page that it may tell of.

    The footer names that page as it is printed in the book, which `reading_id` reads.
    """

    reading_id: str
    question: str
    text: str
    position: Position
    thread_position: Position
    footer: str

    @property
    def goes_beyond(self) -> bool:
        """Whether it must stand behind a spoiler container."""
        return (self.position or 0) > (self.thread_position or 0)

    @property
    def warning(self) -> str:
        """The line that stands open above the container and names its page; empty where none is needed."""
        return say("Beyond this thread's page: {footer}", footer=self.footer) if self.goes_beyond else ""


class Answers:
    """Sources, other passages, thumbs, and private answers that are shown to all."""

    def __init__(
        self,
        *,
        record: TurnRecord,
        books: BookRepository,
        threads: ThreadService,
        quoting: Quoting,
    ) -> None:
        self._quoting = quoting
        self._record = record
        self._books = books
        self._threads = threads

    async def sources(self, turn_id: int, *, thread: Thread, member_id: str, own: Position = None) -> list[str]:
        """Return the sentences that an answer quotes and cites, 60 words each, as far as the member may read them now.

        That is the thread for its own answers, and the member, whose page is `own`, for a private one of theirs. Where
        none is known again, the beginnings of the passages that it was made from.
        """
        answer = await self._answer(turn_id, thread, member_id)
        book = await self._books.get(answer.book_id)
        last_page = await self._readable_by_now(answer, thread, member_id, own)
        span = readable(book, last_page)
        chunks = await self._books.readable_chunks(span, answer.chunk_ids)
        name = page_names(await self._books.outline(answer.book_id))
        read = ReadText(await self._books.pages(span))
        pages = [chunk.start_page for chunk in chunks]
        if shown := excerpts(answer.turn.agent_response or "", read, pages=pages):
            return [say("p. {page}: {text}", page=name(one.page), text=one.text) for one in shown]
        beginnings = [(name(chunk.start_page), first_words(chunk.text, _SHOWN_WORDS)) for chunk in chunks]
        return [say("p. {page}: {text}", page=page, text=text) for page, text in beginnings]

    async def asked(self, turn_id: int, *, thread: Thread, member_id: str) -> RecordedAnswer:
        """Return where something was asked; that of another member's private talk is nobody's. Raises ThusfarError."""
        answer = await self._answer(turn_id, thread, member_id)
        if not answer.turn.user_query:
            raise ThusfarError(say(_GONE))
        return answer

    async def asked_back(self, turn_id: int, *, thread: Thread) -> IncomingMessage:
        """Return a question whose asker had to choose where to be answered, in its thread of a place.

        Raises:
            ThusfarError: it is gone, or was taken back.
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

    async def another(
        self, turn_id: int, *, skipping: int, thread: Thread, member_id: str, own: Position = None
    ) -> TurnOutcome:
        """Return the next best passage for what a turn looked for, as far as the people who see it may read now."""
        answer = await self._answer(turn_id, thread, member_id)
        book = await self._books.get(answer.book_id)
        last_page = await self._readable_by_now(answer, thread, member_id, own)
        outcome = await self._quoting.another(answer.searched_for, book=book, position=last_page, skipping=skipping)
        name = page_names(await self._books.outline(answer.book_id))
        return replace(outcome, text=for_reader(with_labels(outcome.text, name)))

    async def give_feedback(self, turn_id: int, feedback: int, *, thread: Thread, member_id: str) -> None:
        """Keep a member's thumb, the last they gave: 1 or -1."""
        await self._answer(turn_id, thread, member_id)
        await self._record.give_feedback(turn_id, feedback, member_id=member_id)

    async def report(self, turn_id: int, *, thread: Thread, member_id: str) -> bool:
        """Keep that a member calls an answer a spoiler: no later context has it. Return whether all could see it."""
        answer = await self._answer(turn_id, thread, member_id, hidden=True)
        await self._record.give_feedback(turn_id, SPOILER, member_id=member_id)
        return answer.session_id.startswith(thread.session)

    async def take_back_report(self, turn_id: int, *, thread: Thread, member_id: str) -> PostableAnswer:
        """Let an answer be one like all others again; return it, to be shown."""
        answer = await self._answer(turn_id, thread, member_id, hidden=True)
        await self._record.take_back_reports(turn_id)
        return await self._as_posted(answer, thread)

    async def postable(self, turn_id: int, *, thread: Thread, member_id: str) -> PostableAnswer:
        """Return a member's own private answer, to be shown in the thread at their wish."""
        answer = await self._answer(turn_id, thread, member_id)
        if not answer.session_id.startswith(thread.private_to(member_id).session):
            raise ThusfarError(say(_GONE))
        return await self._as_posted(answer, thread)

    async def public(self, turn_id: int, *, thread: Thread) -> PostableAnswer:
        """Return an answer of the thread itself, for a member who opens it after the thread was set back."""
        answer = await self._record.answer(turn_id)
        if answer is None or not answer.session_id.startswith(thread.session) or _is_hidden(answer):
            raise ThusfarError(say(_GONE))
        return await self._as_posted(answer, thread)

    async def _as_posted(self, answer: RecordedAnswer, thread: Thread) -> PostableAnswer:
        name = page_names(await self._books.outline(answer.book_id))
        return PostableAnswer(
            reading_id=answer.reading_id,
            question=answer.turn.user_query,
            text=for_reader(with_labels(answer.turn.agent_response or "", name)),
            footer=footer(answer.turn.position, name=name),
            position=answer.turn.position,
            thread_position=await self._position(thread, answer),
        )

    async def _answer(self, turn_id: int, thread: Thread, member_id: str, *, hidden: bool = False) -> RecordedAnswer:
        """Return an answer; one that is hidden only where that is wanted."""
        answer = await self._record.answer(turn_id)
        theirs = thread.session, thread.private_to(member_id).session
        if answer is None or not answer.session_id.startswith(theirs) or (_is_hidden(answer) and not hidden):
            raise ThusfarError(say(_GONE))
        return answer

    async def _readable_by_now(self, answer: RecordedAnswer, thread: Thread, member_id: str, own: Position) -> int:
        """Return the last page that may be shown of an answer now, and that could be when it was given."""
        is_private = answer.session_id.startswith(thread.private_to(member_id).session)
        position = own if is_private and own is not None else await self._position(thread, answer)
        return min(answer.turn.position or 0, position or 0)

    async def _position(self, thread: Thread, answer: RecordedAnswer) -> Position:
        """Return where the thread stands in the answer's book; a thread that reads another one now stands nowhere."""
        club = await self._threads.club(thread)
        return club.page_of_all if answer.reading_id == club.reading_id else None


def _is_hidden(answer: RecordedAnswer) -> bool:
    return answer.turn.status is TurnStatus.HIDDEN


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Running sentences of the book on one line, and the page on which they begin."""

    page: int
    text: str


def excerpts(answer: str, read: ReadText, *, pages: Sequence[int]) -> list[Excerpt]:
    """Return what an answer quotes and cites, of sixty words each, in the order of the book.

    `pages` are those that were looked at for it; beside them the pages count that it names itself.
    """
    named = [page for page in dict.fromkeys((*pages, *cited_pages(answer))) if page in read.by_number]
    if not named:
        return []
    all_sentences = read.sentences(min(named) - 1, max(named) + 1)
    on_pages = [at for at, each in enumerate(all_sentences) if any(each.page <= n <= each.last_page for n in named)]
    found = sorted({*_quoted(answer, all_sentences, on_pages), *_cited(answer, all_sentences, on_pages)})
    return [_excerpt(all_sentences, group) for group in _groups(all_sentences, found)][:_MOST_SHOWN]


def _quoted(answer: str, read: Sequence[ReadSentence], on_pages: Sequence[int]) -> Iterator[int]:
    """Give the sentences of which the answer holds a run of words, or all."""
    lines = "\n".join(match[1] for match in QUOTED_LINE.finditer(answer))
    pieces = [*sentences(lines), *_IN_MARKS.findall(QUOTED_LINE.sub("", answer))]
    wanted = [f" {' '.join(found)} " for piece in pieces if len(found := words(without_citations(piece))) > 1]
    for at in on_pages:
        own = f" {' '.join(words(read[at].text))} "
        if any(_holds(own, each) or _holds(each, own) for each in wanted):
            yield at


def _holds(whole: str, part: str) -> bool:
    """Whether a line of words holds another, which is long enough to be known again, or all there is."""
    return part in whole and (part == whole or len(part.split()) >= _LEAST_QUOTED)


def _cited(answer: str, read: Sequence[ReadSentence], on_pages: Sequence[int]) -> Iterator[int]:
    """Give for each sentence of the answer's own that names a page the sentence there that it was made from."""
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
    """Give the runs of sentences of a page, first and last, that fit together into what is shown."""
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
    """Return a run with what stands around it, as far as there is room: what comes before it goes first."""
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
