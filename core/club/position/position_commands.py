"""Commands about how far is read: for the thread or the whole club, and for a member alone."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from core.answering.positions import PositionMoved, PositionService, is_alone
from core.answering.threads import ThreadService
from core.club.commands.open_books import own_position
from core.club.commands.values import (
    SEPARATOR,
    Choice,
    Command,
    CommandRequest,
    CommandResponse,
    Option,
    OptionKind,
    Suggestion,
)
from core.club.position.asked_back import (
    CLUB,
    HERE,
    ONLY_ME,
    UNDO_CLUB,
    YES,
    SectionThreads,
    for_club,
    is_that_right,
    keep_their_own,
    label_of,
    leap_text,
    page_of_leap,
    percent_of_leap,
    under_move,
    which_one,
    which_page,
)
from core.club.position.chapters import suggested_chapters
from core.club.position.move_effects import MoveEffects
from core.club.position.who_moves import WhoMoves
from core.domain.book import PageSource
from core.domain.conversation import Conversation
from core.domain.errors import NotPermittedError, PositionError
from core.domain.keyed_locks import KeyedLocks
from core.domain.messages import ask_position, counted, plain_name
from core.domain.position import (
    NamedPosition,
    NeedsChoice,
    NeedsConfirmation,
    Position,
    footer,
    goes_far_back,
    needs_confirmation,
    page_names,
)
from core.domain.progress import progress_bar
from core.domain.reading import PositionOwner
from core.domain.scopes import is_direct
from core.domain.thread import Thread
from core.ports.books import BookRepository
from core.ports.clubs import ClubRepository
from core.understanding.position_forms import is_of_one, names_place

TO_PAGE = ".page"
"""Moves to a page by its number in the book, whatever is printed on it: what a slider says."""
_MOST_NAMED = 10
_MOST_OFFERED = 25


class PositionCommands:
    """`setpage`, `where`, `mypage`, and the buttons under a move."""

    def __init__(
        self,
        *,
        positions: PositionService,
        threads: ThreadService,
        clubs: ClubRepository,
        books: BookRepository,
        sections: SectionThreads,
        move_effects: MoveEffects,
        who_moves: WhoMoves,
    ) -> None:
        self._who_moves = who_moves
        self._move_effects = move_effects
        self._positions = positions
        self._threads = threads
        self._clubs = clubs
        self._books = books
        self._sections = sections
        self._locks = KeyedLocks()

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
        return [
            Command(
                words="setpage",
                takes=Option(
                    name="to", hint="120, ch 7 done, 45% or end", kind=OptionKind.PAGE, suggest=self._suggest_for_all
                ),
                help="set how far the club has read",
                title="Set the page",
                moves_page=True,
                run=self._one_by_one(self._set_page),
            ),
            Command(words="where", help="show the book and the current page", run=self._where),
            Command(
                words="mypage",
                takes=Option(
                    name="to", hint="240, ch 7 done, 60% or reset", kind=OptionKind.PAGE, suggest=self._suggest_for_one
                ),
                help="set how far you have read; only you see it",
                title="Set my own page",
                run=self._my_page,
            ),
            Command(words=".said", is_meant=names_place, run=self._one_by_one(self._said)),
            Command(words=TO_PAGE, moves_page=True, run=self._one_by_one(self._to_page)),
            Command(words=HERE, run=self._one_by_one(self._set)),
            Command(words=CLUB, run=for_club(self._one_by_one(self._set))),
            Command(words=".leap-club", run=for_club(self._one_by_one(self._leap))),
            Command(words=UNDO_CLUB, run=for_club(self._one_by_one(self._undo))),
            Command(words=".leap", moves_page=True, run=self._one_by_one(self._leap)),
            Command(words=".mypage", run=self._one_by_one(self._my_leap)),
            Command(words=".undo", moves_page=True, run=self._one_by_one(self._undo)),
            Command(words=ONLY_ME, run=self._one_by_one(self._only_me)),
        ]

    async def _set_page(self, request: CommandRequest) -> CommandResponse:
        """Move the page; in a thread that stays at its section's end, ask which one is meant."""
        owner = await self._threads.owner(request.thread)
        section = await self._sections.section(owner, request.thread.thread)
        if section is None:
            return await self._set(request)
        await self._who_moves.check(owner, request)
        return which_page(section, page_names(await self._books.outline(owner.book_id)), request.text)

    async def _set(self, request: CommandRequest) -> CommandResponse:
        owner = await self._moving(request)
        text = request.text.removesuffix(YES)
        confirmed = text != request.text
        moved = await self._positions.set(owner, text=text, member=request.member, confirmed=confirmed)
        if isinstance(moved, PositionMoved):
            return await self._moved(owner, moved, request)
        if isinstance(moved, NeedsConfirmation):
            return await self._asked(owner, moved, request)
        name = page_names(await self._books.outline(owner.book_id))
        return which_one(moved, name, command=".leap", reading_id=owner.reading_id, standing=moved.from_page)

    async def _moving(self, request: CommandRequest) -> PositionOwner:
        """Return whose position is to be moved. Raises NotPermittedError where the member may not."""
        owner = await self._threads.owner(request.thread, of_club=request.of_club)
        await self._who_moves.check(owner, request)
        return owner

    async def _asked(self, owner: PositionOwner, asks: NeedsConfirmation, request: CommandRequest) -> CommandResponse:
        """Ask whether the page of all is to move so far."""
        reading_id, only_me = owner.reading_id, None
        is_back = goes_far_back(asks.from_page, asks.to_page)
        command, text = ".leap", leap_text(reading_id, asks.from_page, asks.to_page, asks.percent) + YES * is_back
        if asks.undoes is not None:
            command, text = ".undo", f"{asks.undoes}{YES}"
        elif asks.text:
            command, text = HERE, asks.text + YES
        if is_back:
            own = await self._clubs.member_position(reading_id, request.member.member_id)
            only_me = Choice(label="Only for me", command=".mypage", text=leap_text(reading_id, own, asks.to_page))
        name = page_names(await self._books.outline(owner.book_id))
        return is_that_right(asks, name, command=command, text=text, only_me=only_me)

    async def _said(self, request: CommandRequest) -> CommandResponse:
        """How far somebody says they are, without a command: of all, unless they speak of themselves among others."""
        owner = await self._threads.owner(request.thread)
        for_all = await self._positions.set_position(owner)
        if for_all is None or is_direct(request.thread.scope) or not is_of_one(request.text):
            return await self._set_page(request)
        own = await self._my_page(request)
        reached = await self._clubs.member_position(owner.reading_id, request.member.member_id)
        if own.choices or reached in {None, for_all}:
            return own
        text = leap_text(owner.reading_id, for_all, reached or 0)
        return replace(own, choices=(Choice(label="For everyone", command=".leap", text=text),))

    async def _to_page(self, request: CommandRequest) -> CommandResponse:
        """Move to a page number; a leap is asked for as after `setpage`."""
        owner = await self._moving(request)
        before = await self._positions.set_position(owner)
        return await self._leaped(owner, leap_text(owner.reading_id, before, int(request.text)), request, ahead=True)

    async def _leap(self, request: CommandRequest) -> CommandResponse:
        """A leap by a button, if the page is still where it was when that was offered; back it has to be confirmed."""
        return await self._leaped(await self._moving(request), request.text, request)

    async def _leaped(
        self, owner: PositionOwner, leap: str, request: CommandRequest, *, ahead: bool = False
    ) -> CommandResponse:
        """Make a leap; one that is not confirmed is asked for where it goes far back, and where it goes far `ahead`."""
        before = await self._positions.set_position(owner)
        page, percent = page_of_leap(leap, owner.reading_id, before), percent_of_leap(leap)
        if page is None:
            raise PositionError("The page has moved since then. Please use `/setpage` again.")
        outline = await self._books.outline(owner.book_id)
        far = page <= outline.pages and needs_confirmation(before, page, outline.pages, shared=not is_alone(owner))
        if far and not leap.endswith(YES) and (ahead or goes_far_back(before, page)):
            asks = NeedsConfirmation(from_page=before or 0, to_page=page, pages=outline.pages, percent=percent)
            return await self._asked(owner, asks, request)
        moved = await self._positions.move(owner, page, outline=outline, member=request.member, percent=percent)
        return await self._moved(owner, moved, request)

    async def _undo(self, request: CommandRequest) -> CommandResponse:
        owner = await self._moving(request)
        change_id = int(request.text.removesuffix(YES))
        asks = await self._positions.asks_before_undo(owner, request.member, change_id)
        if asks is not None and not request.text.endswith(YES):
            return await self._asked(owner, asks, request)
        moved = await self._positions.undo(owner, member=request.member, change_id=change_id)
        return CommandResponse(announcement=moved.announcement, hides=await self._beyond(owner, moved))

    async def _only_me(self, request: CommandRequest) -> CommandResponse:
        """The mover meant only themselves: the thread goes back, they go on."""
        change_id, _, mover_id = request.text.partition(SEPARATOR)
        if request.member.member_id != mover_id:
            raise NotPermittedError("Only the member who moved the page can say it was just for them.")
        owner = await self._moving(request)
        reached = await self._positions.set_position(owner)
        moved = await self._positions.undo(owner, member=request.member, change_id=int(change_id))
        await self._clubs.set_member_position(owner.reading_id, request.member.member_id, reached)
        await self._move_effects.for_one(owner, request.thread)
        shown = await self._positions.private_footer(owner, reached, request.member.member_id)
        return CommandResponse(
            text=f"Your own page is set: {shown}. `/ask` answers just you.",
            announcement=moved.announcement,
            hides=await self._beyond(owner, moved),
        )

    async def _where(self, request: CommandRequest) -> CommandResponse:
        owner = await self._threads.owner(request.thread)
        book = await self._books.get(owner.book_id)
        position = await self._positions.of_owner(owner)
        estimated = "estimated " if book.page_source is PageSource.ESTIMATED else ""
        pages = (await self._books.outline(owner.book_id)).story_end
        stands = await self._positions.footer(owner, position)
        text = f"{plain_name(book.title)}, {counted(pages, f'{estimated}page')}: {stands}."
        if position is None:
            return CommandResponse(announcement=f"{text} {ask_position(alone=is_direct(request.thread.scope))}")
        return CommandResponse(announcement=f"{progress_bar(position, pages)}\n{text}")

    async def _my_page(self, request: CommandRequest) -> CommandResponse:
        """Set a member's own page; where they are alone with the bot, that is the page of all."""
        if is_direct(request.thread.scope):
            return await self._set_page(request)
        owner = await self._threads.owner(request.thread)
        current = await self._clubs.member_position(owner.reading_id, request.member.member_id)
        reached = current if current is not None else await self._positions.of_owner(owner)
        own = await self._positions.for_member(owner, request.text, request.member, current=reached)
        outline = await self._books.outline(owner.book_id)
        if isinstance(own, NeedsChoice):
            name, reading = page_names(outline), owner.reading_id
            return which_one(own, name, command=".mypage", reading_id=reading, standing=current)
        if needs_confirmation(current, own.position, outline.pages):
            leap = NeedsConfirmation(
                from_page=current or 0, to_page=own.position or 0, pages=outline.pages, note=own.note
            )
            text = leap_text(owner.reading_id, leap.from_page, leap.to_page)
            return is_that_right(leap, page_names(outline), command=".mypage", text=text)
        return await self._set_own(owner, own, request)

    async def _my_leap(self, request: CommandRequest) -> CommandResponse:
        """A member's confirmed leap, checked as that of all is."""
        owner = await self._threads.owner(request.thread)
        current = await self._clubs.member_position(owner.reading_id, request.member.member_id)
        page = page_of_leap(request.text, owner.reading_id, current)
        if page is None:
            raise PositionError("Your page has moved since then. Please use `/mypage` again.")
        return await self._set_own(owner, NamedPosition(position=page), request)

    async def _set_own(self, owner: PositionOwner, own: NamedPosition, request: CommandRequest) -> CommandResponse:
        member_id = request.member.member_id
        await self._clubs.set_member_position(owner.reading_id, member_id, own.position)
        await self._move_effects.for_one(owner, request.thread)
        shown = await self._positions.private_footer(owner, own.position, member_id)
        told = (own.note, await self._last_words(owner, own.position))
        return CommandResponse(text=" ".join(filter(None, (f"Your own page is set: {shown}.", *told))))

    async def _suggest_for_all(self, request: CommandRequest) -> list[Suggestion]:
        owner = await self._threads.owner(request.thread)
        return await self._suggested(owner, request, await self._positions.of_owner(owner))

    async def _suggest_for_one(self, request: CommandRequest) -> list[Suggestion]:
        owner = await self._threads.owner(request.thread)
        position = await own_position(owner, request.member.member_id, clubs=self._clubs, positions=self._positions)
        return await self._suggested(owner, request, position)

    async def _suggested(self, owner: PositionOwner, request: CommandRequest, current: Position) -> list[Suggestion]:
        """Return what was typed first, as far as it already names one place; then chapters."""
        outline = await self._books.outline(owner.book_id)
        chapters = suggested_chapters(outline, current, typed=request.text, most=_MOST_OFFERED)
        try:
            named = await self._positions.for_member(owner, request.text, request.member, current=current)
        except PositionError:
            return chapters
        if isinstance(named, NeedsChoice) or named.position is None:
            return chapters
        typed = Suggestion(label=label_of(named, page_names(outline)), text=request.text.strip())
        return [typed, *(one for one in chapters if one.text != typed.text)][:_MOST_OFFERED]

    async def _moved(self, owner: PositionOwner, moved: PositionMoved, request: CommandRequest) -> CommandResponse:
        others, words = await self._others(owner, request.thread), await self._last_words(owner, moved.to_position)
        opened = await self._move_effects.at(owner, request.thread)
        return CommandResponse(
            text=" ".join(filter(None, (moved.note, words))),
            announcement=moved.announcement + keep_their_own(len(others)) + opened.told,
            hides=await self._beyond(owner, moved),
            names=tuple(others[:_MOST_NAMED]),
            choices=under_move(moved, request) + opened.choices,
        )

    async def _beyond(self, owner: PositionOwner, moved: PositionMoved) -> frozenset[str]:
        """Return the footers of answers that go further than where a thread was set back to; none for other moves."""
        before, after = moved.from_position or 0, moved.to_position or 0
        if after >= before or not isinstance(owner, Conversation):
            return frozenset()
        outline = await self._books.outline(owner.book_id)
        name = page_names(outline)
        return frozenset(footer(page, name=name) for page in range(after + 1, outline.pages + 1))

    async def _last_words(self, owner: PositionOwner, position: Position) -> str:
        """Show the setter how far that is; empty where nothing is read."""
        words = await self._positions.last_words(owner.book_id, position)
        return f"The last words you read: “… {words}”" if words else ""

    async def _others(self, owner: PositionOwner, thread: Thread) -> list[str]:
        """Return the threads that keep their own page when their club's moves; those of sections always do."""
        if isinstance(owner, Conversation):
            return []
        of_sections = await self._sections.of(owner)
        return [named for named in await self._threads.keeping_their_page(owner, thread) if named not in of_sections]

    def _one_by_one(
        self, run: Callable[[CommandRequest], Awaitable[CommandResponse]]
    ) -> Callable[[CommandRequest], Awaitable[CommandResponse]]:
        """Let the moves of a thread follow one another: a button that is pressed twice moves the page once."""

        async def in_turn(request: CommandRequest) -> CommandResponse:
            thread = replace(request.thread, thread="") if request.of_club else request.thread
            async with self._locks.of(thread):
                return await run(request)

        return in_turn
