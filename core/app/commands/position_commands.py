"""Commands about how far is read: for the thread or the whole club, and for a member alone."""

import asyncio
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

from core.app.commands.chapters import suggested_chapters
from core.app.commands.values import Choice, Command, CommandRequest, CommandResponse, Suggestion, Who
from core.app.positions import PositionMoved, PositionService
from core.app.threads import Thread, ThreadService
from core.domain.conversation import Author, Conversation
from core.domain.errors import NotPermittedError, PositionError
from core.domain.position import NeedsConfirmation, PageControl, footer
from core.domain.reading import Reading
from core.domain.words import ASK_POSITION
from core.ports.clubs import ClubRepository
from core.ports.repositories import BookRepository, ReadingRepository

_SEPARATOR = "|"


class PositionCommands:
    """`setpage`, `where`, `mypage`, and the buttons under a move."""

    def __init__(
        self,
        *,
        positions: PositionService,
        threads: ThreadService,
        readings: ReadingRepository,
        clubs: ClubRepository,
        books: BookRepository,
    ) -> None:
        self._positions = positions
        self._threads = threads
        self._readings = readings
        self._clubs = clubs
        self._books = books
        self._locks: WeakValueDictionary[Thread, asyncio.Lock] = WeakValueDictionary()

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
        everyone = Who.EVERYONE
        return [
            Command(
                words="setpage",
                takes="120, ch 7, ch 7 done, 45%, end, reset, follow or undo",
                who=everyone,
                help="say how far all of you have read",
                run=self._one_by_one(self._set_page),
                suggest=self._suggest_for_all,
            ),
            Command(words="where", takes="", who=everyone, help="show how far this thread is", run=self._where),
            Command(
                words="mypage",
                takes="240, ch 7 done, 60%, reset",
                who=everyone,
                help="say how far you alone have read; only you see the answers",
                run=self._my_page,
                suggest=self._suggest_for_one,
            ),
            Command(words=".leap", takes="", who=everyone, help="", run=self._one_by_one(self._leap)),
            Command(words=".undo", takes="", who=everyone, help="", run=self._one_by_one(self._undo)),
            Command(words=".onlyme", takes="", who=everyone, help="", run=self._one_by_one(self._only_me)),
        ]

    async def _set_page(self, request: CommandRequest) -> CommandResponse:
        place = await self._threads.place(request.thread)
        await self._check_control(place, request)
        moved = await self._positions.set(place, text=request.text, member=request.member)
        if isinstance(moved, NeedsConfirmation):
            return CommandResponse(
                text=f"From p. {moved.from_page} to p. {moved.to_page} of {moved.pages} is a leap. Is that right?",
                choices=(
                    Choice(
                        label=f"Yes, p. {moved.to_page}",
                        command=".leap",
                        text=_SEPARATOR.join((place.reading_id, str(moved.from_page), str(moved.to_page))),
                    ),
                ),
            )
        return await self._moved(place, moved, request.member)

    async def _leap(self, request: CommandRequest) -> CommandResponse:
        """A confirmed leap; whether the page still stands where it stood when it was asked is checked now."""
        place = await self._threads.place(request.thread)
        await self._check_control(place, request)
        reading_id, said_from, said_to = request.text.split(_SEPARATOR)
        current = await self._positions.set_position(place)
        if (place.reading_id, str(current or 0)) != (reading_id, said_from):
            raise PositionError("The page has been moved since; please say `setpage` again.")
        outline = await self._books.outline(place.book_id)
        moved = await self._positions.move(place, int(said_to), outline=outline, member=request.member)
        return await self._moved(place, moved, request.member)

    async def _undo(self, request: CommandRequest) -> CommandResponse:
        place = await self._threads.place(request.thread)
        await self._check_control(place, request)
        moved = await self._positions.undo(place, member=request.member, change_id=int(request.text))
        return CommandResponse(announcement=moved.announcement)

    async def _only_me(self, request: CommandRequest) -> CommandResponse:
        """The mover meant only themselves: the thread goes back, they go on."""
        change_id, _, mover_id = request.text.partition(_SEPARATOR)
        if request.member.member_id != mover_id:
            raise NotPermittedError("Only whoever moved the page can say that it was for them alone.")
        place = await self._threads.place(request.thread)
        await self._check_control(place, request)
        reached = await self._positions.set_position(place)
        moved = await self._positions.undo(place, member=request.member, change_id=int(change_id))
        await self._clubs.set_member_position(place.reading_id, request.member.member_id, reached)
        return CommandResponse(
            text=f"Your own page is set: {footer(reached)}. `ask` answers you alone.", announcement=moved.announcement
        )

    async def _where(self, request: CommandRequest) -> CommandResponse:
        place = await self._threads.place(request.thread)
        book = await self._books.get(place.book_id)
        position = await self._positions.of_place(place)
        text = f"{book.title}, {book.pages} pages: {footer(position)}."
        return CommandResponse(announcement=text if position is not None else f"{text} {ASK_POSITION}")

    async def _my_page(self, request: CommandRequest) -> CommandResponse:
        place = await self._threads.place(request.thread)
        position = await self._positions.for_member(place.book_id, request.text)
        await self._clubs.set_member_position(place.reading_id, request.member.member_id, position)
        words = await self._positions.last_words(place.book_id, position)
        read = f" The last words you have read: “… {words}”" if words else ""
        return CommandResponse(text=f"Your own page is set: {footer(position)}.{read}")

    async def _suggest_for_all(self, request: CommandRequest) -> list[Suggestion]:
        place = await self._threads.place(request.thread)
        outline = await self._books.outline(place.book_id)
        return suggested_chapters(outline, await self._positions.of_place(place), typed=request.text)

    async def _suggest_for_one(self, request: CommandRequest) -> list[Suggestion]:
        place = await self._threads.place(request.thread)
        own = await self._clubs.member_position(place.reading_id, request.member.member_id)
        position = own if own is not None else await self._positions.of_place(place)
        return suggested_chapters(await self._books.outline(place.book_id), position, typed=request.text)

    async def _moved(self, place: Conversation | Reading, moved: PositionMoved, member: Author) -> CommandResponse:
        words = await self._positions.last_words(place.book_id, moved.to_position)
        others = await self._others(place)
        return CommandResponse(
            text=f"The last words you have read: “… {words}”" if words else "",
            announcement=moved.announcement + others,
            choices=()
            if moved.change_id is None
            else (
                Choice(label="Undo", command=".undo", text=str(moved.change_id)),
                Choice(label="Only for me", command=".onlyme", text=f"{moved.change_id}{_SEPARATOR}{member.member_id}"),
            ),
        )

    async def _others(self, place: Conversation | Reading) -> str:
        """Say how many threads keep their own page when their club's moves."""
        if isinstance(place, Conversation):
            return ""
        own = len(await self._readings.own_positions(place.reading_id))
        return f" {own} thread{'s keep their' if own > 1 else ' keeps its'} own page." if own else ""

    async def _check_control(self, place: Conversation | Reading, request: CommandRequest) -> None:
        reading = await self._readings.get(place.reading_id)
        if reading.page_control is PageControl.ORGANISERS and not request.is_organiser:
            raise NotPermittedError("In this club organisers move the page; `mypage` moves your own.")

    def _one_by_one(
        self, run: Callable[[CommandRequest], Awaitable[CommandResponse]]
    ) -> Callable[[CommandRequest], Awaitable[CommandResponse]]:
        """Let the moves of a thread follow one another: a button that is pressed twice moves the page once."""

        async def in_turn(request: CommandRequest) -> CommandResponse:
            async with self._locks.setdefault(request.thread, asyncio.Lock()):
                return await run(request)

        return in_turn
