"""Commands that set and show how far a thread, a club or a member has read."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from core.answering.positions import (
    PositionMoved,
    PositionService,
    asks_before_undo,
    is_alone,
    last_words,
    page_of_member,
)
from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
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
    choose_club_or_thread,
    choose_meaning,
    confirm_leap,
    confirm_move,
    for_club,
    leap_text,
    offer_page,
    offer_undo,
    page_of_leap,
    percent_of_leap,
    threads_with_own_page,
    under_move,
)
from core.club.position.chapters import suggested_places
from core.club.position.move_effects import opened_by, unmoved_threads
from core.domain.club_state import ClubState
from core.domain.conversation import Conversation
from core.domain.errors import NotPermittedError, PositionError
from core.domain.keyed_locks import KeyedLocks
from core.domain.messages import ask_position, plain_name
from core.domain.position import (
    NamedPosition,
    NeedsChoice,
    NeedsConfirmation,
    PageControl,
    footer,
    goes_far_back,
    needs_confirmation,
    pages_in_words,
)
from core.domain.progress import progress_bar
from core.domain.scopes import is_direct, is_private
from core.domain.understanding import Intent
from core.understanding.said_position import position_said, says_undo

TO_PAGE = ".page"
"""Moves to a page by its number in the file, not its printed number. A slider sends it."""
_MOST_NAMED = 10


class PositionCommands:
    """The commands `setpage`, `where` and `mypage`, and the buttons under a move."""

    def __init__(self, *, positions: PositionService, threads: ThreadService) -> None:
        self._positions = positions
        self._threads = threads
        self._locks = KeyedLocks()

    def commands(self) -> list[Command]:
        """Return the commands, with those of buttons last."""
        return [
            Command(
                words="setpage",
                takes=Option(
                    name="to",
                    hint=sentence("120, ch 7 done, 45% or end"),
                    kind=OptionKind.PAGE,
                    suggest=self._suggest_for_all,
                ),
                help=sentence("set how far the club has read"),
                title=sentence("Set the page"),
                moves_page=True,
                run=self._one_by_one(self._set_page),
            ),
            Command(words="where", help=sentence("show the book and the current page"), run=self._where),
            Command(
                words="mypage",
                takes=Option(
                    name="to",
                    hint=sentence("240, ch 7 done, 60% or reset"),
                    kind=OptionKind.PAGE,
                    suggest=self._suggest_for_one,
                ),
                help=sentence("set how far you have read; only you see it"),
                title=sentence("Set my own page"),
                run=self._my_page,
            ),
            Command(words=".said", intents=frozenset({Intent.SET_PAGE}), run=self._one_by_one(self._said)),
            Command(words=".said-own", intents=frozenset({Intent.MY_PAGE}), run=self._one_by_one(self._said_own)),
            Command(words=".said-undo", intents=frozenset({Intent.UNDO}), run=self._one_by_one(self._said_undo)),
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
        """Move the page; in a thread that stays at the end of its section, ask whose page is meant."""
        club = await self._club_to_move(request)
        section = club.schedule.of_thread(request.thread.thread) if club.schedule and request.thread.thread else None
        if section is None:
            return await self._set_to(club, request)
        return choose_club_or_thread(section, club.page_name, request.text)

    async def _set(self, request: CommandRequest) -> CommandResponse:
        return await self._set_to(await self._club_to_move(request), request)

    async def _set_to(self, club: ClubState, request: CommandRequest) -> CommandResponse:
        text = request.text.removesuffix(YES)
        confirmed = text != request.text
        moved = await self._positions.set(
            club, text=text, member=request.member, confirmed=confirmed, told_in=request.thread
        )
        if isinstance(moved, PositionMoved):
            return _moved(club, moved, request)
        if isinstance(moved, NeedsConfirmation):
            return confirm_move(club, moved)
        return choose_meaning(
            moved, club.page_name, command=".leap", reading_id=club.reading_id, standing=moved.from_page
        )

    async def _club_to_move(self, request: CommandRequest) -> ClubState:
        """Return the club whose page is to be moved. Raises NotPermittedError if the member may not move it."""
        club = await self._threads.club(request.thread, request.member.member_id, of_club=request.of_club)
        if not request.is_organiser:
            _check_control(club)
        return club

    async def _said(self, request: CommandRequest) -> CommandResponse:
        """Move to the page that a sentence says; offer it where the sentence may mean something else."""
        said = position_said(request.text)
        if said is not None and not said.is_plain:
            return offer_page(said.text, own=False)
        return await self._set_page(request.with_text(said.text) if said else request)

    async def _said_undo(self, request: CommandRequest) -> CommandResponse:
        return await self._set_page(request.with_text("undo")) if says_undo(request.text) else offer_undo()

    async def _said_own(self, request: CommandRequest) -> CommandResponse:
        """Set the page of somebody who speaks of themselves; if they are alone or no page is set yet, that of all."""
        said = position_said(request.text)
        if said is not None and not said.is_plain:
            return offer_page(said.text, own=True)
        request = request.with_text(said.text) if said else request
        club = await self._club(request)
        for_all = club.standing.set_for_all
        if for_all is None or is_private(request.thread.scope):
            return await self._set_page(request)
        own = page_of_member(club, request.text, current=club.reached)
        response = await self._own(club, own, request)
        reached = None if isinstance(own, NeedsChoice) else own.position
        if response.choices or reached in {None, for_all}:
            return response
        text = leap_text(club.reading_id, for_all, reached or 0)
        return replace(response, choices=(Choice(label=say("For everyone"), command=".leap", text=text),))

    async def _to_page(self, request: CommandRequest) -> CommandResponse:
        """Move to a page number; a leap has to be confirmed, as with `setpage`."""
        club = await self._club_to_move(request)
        leap = leap_text(club.reading_id, club.standing.set_for_all, int(request.text))
        return await self._leaped(club, leap, request, ahead=True)

    async def _leap(self, request: CommandRequest) -> CommandResponse:
        """Make a leap by its button; a leap far back has to be confirmed."""
        return await self._leaped(await self._club_to_move(request), request.text, request)

    async def _leaped(
        self, club: ClubState, leap: str, request: CommandRequest, *, ahead: bool = False
    ) -> CommandResponse:
        """Make a leap, or ask to confirm it if it goes far back or, with `ahead`, far ahead.

        Raises:
            PositionError: the page has moved since the leap was offered.
        """
        before, pages = club.standing.set_for_all, club.outline.counted_at(club.standing.set_for_all).count
        page, percent = page_of_leap(leap, club.reading_id, before), percent_of_leap(leap)
        if page is None:
            raise PositionError(say("The page has moved since then. Please use `/setpage` again."))
        far = page <= club.outline.pages and needs_confirmation(before, page, pages, shared=not is_alone(club.owner))
        if far and not leap.endswith(YES) and (ahead or goes_far_back(before, page)):
            return confirm_move(
                club, NeedsConfirmation(from_page=before or 0, to_page=page, pages=pages, percent=percent)
            )
        moved = await self._positions.move(club, page, member=request.member, percent=percent, told_in=request.thread)
        return _moved(club, moved, request)

    async def _undo(self, request: CommandRequest) -> CommandResponse:
        club = await self._club_to_move(request)
        change_id = int(request.text.removesuffix(YES))
        asks = asks_before_undo(club, change_id)
        if asks is not None and not request.text.endswith(YES):
            return confirm_move(club, asks)
        moved = await self._positions.undo(club, member=request.member, change_id=change_id)
        return CommandResponse(announcement=moved.announcement, hides=_hidden_footers(club, moved))

    async def _only_me(self, request: CommandRequest) -> CommandResponse:
        """Undo a move for the thread, and make it the mover's own page instead."""
        change_id, _, mover_id = request.text.partition(SEPARATOR)
        if request.member.member_id != mover_id:
            raise NotPermittedError(say("Only the member who moved the page can say it was just for them."))
        club = await self._club_to_move(request)
        reached = club.standing.set_for_all
        moved = await self._positions.undo(club, member=request.member, change_id=int(change_id))
        await self._positions.move_member(club, reached, told_in=request.thread)
        return CommandResponse(
            text=say("Your own page is set: {page}. `/ask` answers just you.", page=club.private_footer(reached)),
            announcement=moved.announcement,
            hides=_hidden_footers(club, moved),
        )

    async def _where(self, request: CommandRequest) -> CommandResponse:
        club = await self._club(request)
        position, outline = club.page_of_all, club.outline.counted_at(club.page_of_all)
        text = say(
            "{title}, {pages}: {read}.",
            title=plain_name(outline.title or club.book.title),
            pages=pages_in_words(club.book, outline),
            read=club.footer(position),
        )
        if position is None:
            return CommandResponse(announcement=" ".join((text, ask_position(alone=is_direct(request.thread.scope)))))
        bar = progress_bar(max(position - outline.begin, 0), outline.story_pages)
        return CommandResponse(announcement=f"{bar}\n{text}")

    async def _my_page(self, request: CommandRequest) -> CommandResponse:
        """Set a member's own page; in a direct message, this is the shared page."""
        if is_direct(request.thread.scope):
            return await self._set_page(request)
        club = await self._club(request)
        return await self._own(club, page_of_member(club, request.text, current=club.reached), request)

    async def _own(self, club: ClubState, own: NamedPosition | NeedsChoice, request: CommandRequest) -> CommandResponse:
        """Set a member's own page; ask back if several pages may be meant, or if it is a leap."""
        current, pages = club.own_page, club.outline.counted_at(club.own_page).count
        if isinstance(own, NeedsChoice):
            return choose_meaning(own, club.page_name, command=".mypage", reading_id=club.reading_id, standing=current)
        if needs_confirmation(current, own.position, pages):
            leap = NeedsConfirmation(from_page=current or 0, to_page=own.position or 0, pages=pages, note=own.note)
            text = leap_text(club.reading_id, leap.from_page, leap.to_page)
            return confirm_leap(leap, club.page_name, command=".mypage", text=text)
        return await self._set_own(club, own, request)

    async def _my_leap(self, request: CommandRequest) -> CommandResponse:
        """Make a confirmed leap of a member's own page, if it has not moved since."""
        club = await self._club(request)
        page = page_of_leap(request.text, club.reading_id, club.own_page)
        if page is None:
            raise PositionError(say("Your page has moved since then. Please use `/mypage` again."))
        return await self._set_own(club, NamedPosition(position=page), request)

    async def _set_own(self, club: ClubState, own: NamedPosition, request: CommandRequest) -> CommandResponse:
        read = await self._positions.move_member(club, own.position, told_in=request.thread)
        is_set = say("Your own page is set: {page}.", page=club.private_footer(own.position))
        return CommandResponse(text=" ".join(filter(None, (is_set, own.note, _last_words(read)))))

    async def _suggest_for_all(self, request: CommandRequest) -> list[Suggestion]:
        club = await self._club(request)
        return suggested_places(club, request, club.page_of_all)

    async def _suggest_for_one(self, request: CommandRequest) -> list[Suggestion]:
        club = await self._club(request)
        return suggested_places(club, request, club.reached)

    async def _club(self, request: CommandRequest) -> ClubState:
        return await self._threads.club(request.thread, request.member.member_id)

    def _one_by_one(
        self, run: Callable[[CommandRequest], Awaitable[CommandResponse]]
    ) -> Callable[[CommandRequest], Awaitable[CommandResponse]]:
        """Return `run` so that moves of a thread run one after another: a button pressed twice moves the page once."""

        async def in_turn(request: CommandRequest) -> CommandResponse:
            thread = replace(request.thread, thread="") if request.of_club else request.thread
            async with self._locks.of(thread):
                return await run(request)

        return in_turn


def _check_control(club: ClubState) -> None:
    """Check that members may move a club's page. For the page of two linked clubs, the stricter rule applies.

    Raises:
        NotPermittedError: only organisers may move it.
    """
    if club.standing.reading.page_control is PageControl.ORGANISERS:
        raise NotPermittedError(say("In this club only organisers move the page. `/mypage` moves your own."))
    linked = None if isinstance(club.owner, Conversation) else club.linked
    if linked is not None and linked.page_control is PageControl.ORGANISERS:
        raise NotPermittedError(
            say(
                "In the club that reads with yours only organisers move the page, so the same goes here. "
                "`/mypage` moves your own."
            )
        )


def _moved(club: ClubState, moved: PositionMoved, request: CommandRequest) -> CommandResponse:
    others = unmoved_threads(club, moved, request.thread)
    opened = opened_by(club, moved, request.thread)
    words = _last_words(moved.made.last_page_read)
    return CommandResponse(
        text=" ".join(filter(None, (moved.note, words))),
        announcement=moved.announcement + threads_with_own_page(len(others)) + opened.told,
        hides=_hidden_footers(club, moved),
        names=tuple(others[:_MOST_NAMED]),
        choices=under_move(moved, request) + opened.choices,
    )


def _hidden_footers(club: ClubState, moved: PositionMoved) -> frozenset[str]:
    """Return the footers of answers beyond the page that a thread moved back to; empty for other moves."""
    before, after = moved.from_position or 0, moved.to_position or 0
    if after >= before or not isinstance(club.owner, Conversation):
        return frozenset()
    name = club.page_name  # made once: with printed labels that takes a while
    return frozenset(footer(page, name=name) for page in range(after + 1, club.outline.pages + 1))


def _last_words(page: str) -> str:
    """Return the sentence with the last words read; empty where nothing is read."""
    words = last_words(page)
    return say("The last words you read: “… {words}”", words=words) if words else ""
