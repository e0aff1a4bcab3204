"""Commands about copies with other page numbers: what they are like, and the last words read in them."""

from dataclasses import replace

from core.answering.editions import Editions
from core.answering.positions import PositionService
from core.answering.threads import ThreadService
from core.club.commands.values import SEPARATOR, Choice, Command, CommandRequest, CommandResponse, Option, Who
from core.club.editions.calibration import Calibration, FoundPhrase
from core.club.position.asked_back import is_that_right, leap_text
from core.club.position.move_effects import MoveEffects
from core.domain.edition import KnownPoint
from core.domain.edition_forms import parse_edition, split_copy_page
from core.domain.errors import NotPermittedError, PositionError
from core.domain.position import NeedsConfirmation, Position, needs_confirmation, page_names
from core.domain.reading import PositionOwner
from core.domain.scopes import is_private
from core.ports.books import BookRepository
from core.ports.clubs import ClubRepository

_CONFIRMED = "yes"
_MOST_OFFERED = 5


class EditionCommands:
    """`edition`, `calibrate`, and the buttons under the places that were found."""

    def __init__(
        self,
        *,
        positions: PositionService,
        editions: Editions,
        calibration: Calibration,
        threads: ThreadService,
        clubs: ClubRepository,
        books: BookRepository,
        move_effects: MoveEffects,
    ) -> None:
        self._positions = positions
        self._move_effects = move_effects
        self._editions = editions
        self._calibration = calibration
        self._threads = threads
        self._clubs = clubs
        self._books = books

    def commands(self) -> list[Command]:
        """Return the commands, that of buttons last."""
        return [
            Command(
                words="edition",
                takes=Option(name="copy", hint="312 (its last page), 312 first 7, ch 5 at 81 or reset"),
                help="say that your copy has other page numbers",
                run=self._edition,
            ),
            Command(
                words="calibrate",
                takes=Option(name="words", hint="the last words you read"),
                help="find your page from the last words you read",
                run=self._calibrate,
            ),
            Command(words=".calibrate", run=self._chosen),
            Command(
                words=".edition-club",
                takes=Option(name="copy", hint="312 (its last page), 312 first 7, ch 5 at 81 or reset"),
                who=Who.ORGANISERS,
                help="say which copy you all have",
                title="Our copy",
                run=self._of_club,
            ),
        ]

    async def _edition(self, request: CommandRequest) -> CommandResponse:
        said = parse_edition(request.text)
        if said.for_club and not said.asks and not request.is_organiser:
            raise NotPermittedError(
                "`/edition club` is for organisers of this club. `/edition` alone tells me about your copy."
            )
        owner = await self._threads.owner(request.thread)
        return CommandResponse(text=await self._editions.say(owner, said, member_id=request.member.member_id))

    async def _of_club(self, request: CommandRequest) -> CommandResponse:
        """The copy that all of them have, out of a form; where there is none, it is said."""
        if not request.text.strip():
            raise PositionError("Use `/edition club 312`, with the last page of the copy you all have.")
        return await self._edition(replace(request, text=f"club {request.text}"))

    async def _calibrate(self, request: CommandRequest) -> CommandResponse:
        owner = await self._threads.owner(request.thread)
        copy_page, words = split_copy_page(request.text)
        current = await self._current(owner, request)
        reached = current if current is not None else await self._positions.of_owner(owner)
        found = await self._calibration.find(owner.book_id, words, position=reached)
        if len(found) == 1:
            return await self._settle(owner, request, found[0].offset, copy_page)
        return await self._offered(owner, found, copy_page, reached)

    async def _offered(
        self, owner: PositionOwner, found: list[FoundPhrase], copy_page: int | None, reached: Position
    ) -> CommandResponse:
        """Let the member choose; of what they have not read, only the page number is shown."""
        name = page_names(await self._books.outline(owner.book_id))
        best = sorted(found, key=lambda one: (-round(one.score), abs(one.page - (reached or 0))))[:_MOST_OFFERED]
        offered = [one for one in found if one in best]
        lines = [f"p. {name(one.page)}{f': “… {one.excerpt}”' if one.excerpt else ''}" for one in offered]
        more = len(found) - len(offered)
        others = f"\n({more} more fit about as well. More words help.)" if more else ""
        return CommandResponse(
            text="These words are in several places. Which is yours?\n" + "\n".join(lines) + others,
            choices=tuple(
                Choice(label=f"p. {name(one.page)}", command=".calibrate", text=_button(owner, one.offset, copy_page))
                for one in offered
            ),
        )

    async def _chosen(self, request: CommandRequest) -> CommandResponse:
        """A place that was chosen or confirmed, in the book that is read here still."""
        owner = await self._threads.owner(request.thread)
        reading_id, offset, copy_page, confirmed = request.text.rsplit(SEPARATOR, 3)
        if owner.reading_id != reading_id:
            raise PositionError("The club is reading another book now. Please use `/calibrate` again.")
        page = int(copy_page) if copy_page else None
        return await self._settle(owner, request, int(offset), page, confirmed=confirmed == _CONFIRMED)

    async def _settle(
        self,
        owner: PositionOwner,
        request: CommandRequest,
        offset: int,
        copy_page: int | None,
        *,
        confirmed: bool = False,
    ) -> CommandResponse:
        """Set the position, of the member or where they are alone of all, and learn what page of their copy it is."""
        outline = await self._books.outline(owner.book_id)
        name, member_id = page_names(outline), request.member.member_id
        position, current = int(outline.pages_read(offset)), await self._current(owner, request)
        if needs_confirmation(current, position, outline.pages) and not confirmed:
            leap = NeedsConfirmation(from_page=current or 0, to_page=position, pages=outline.pages)
            button = _button(owner, offset, copy_page, confirmed=True)
            return is_that_right(leap, name, command=".calibrate", text=button)
        learned = await self._learn(owner, member_id, offset, copy_page)
        page = outline.page_holding(offset)
        stands = f"These words are on p. {name(page)}{', before its end' if position < page else ''}"
        footer = await self._positions.private_footer(owner, position, member_id)
        if is_private(request.thread.scope):
            moved = await self._positions.move(owner, position, outline=outline, member=request.member)
            opened = await self._move_effects.at(owner, request.thread)
            return CommandResponse(
                announcement=moved.announcement + opened.told, text=f"{stands}. {learned}", choices=opened.choices
            )
        await self._clubs.set_member_position(owner.reading_id, member_id, position)
        await self._move_effects.for_one(owner, request.thread)
        for_all = await self._positions.set_position(owner)
        offers = for_all != position
        far = "" if for_all is None else f" For everyone, that's from p. {name(for_all)} to p. {name(position)}."
        return CommandResponse(
            text=f"{stands}. Your own page is set: {footer}. {learned}{far if offers else ''}",
            choices=(
                Choice(label="For everyone", command=".leap", text=leap_text(owner.reading_id, for_all, position)),
            )
            if offers
            else (),
        )

    async def _learn(self, owner: PositionOwner, member_id: str, offset: int, copy_page: int | None) -> str:
        if copy_page is None:
            return "Use `/calibrate p. 81` and the words, with the page in your copy, and I'll learn its page numbers."
        edition = await self._editions.learn(owner, member_id, KnownPoint(page=copy_page, offset=offset))
        if not edition.converts:
            return f"That's p. {copy_page} of your copy. One more place like this and I'll understand its page numbers."
        return f"That's p. {copy_page} of your copy. I go by its page numbers."

    async def _current(self, owner: PositionOwner, request: CommandRequest) -> Position:
        """Return the position that is moved: where one is alone, that of all."""
        if is_private(request.thread.scope):
            return await self._positions.set_position(owner)
        return await self._clubs.member_position(owner.reading_id, request.member.member_id)


def _button(owner: PositionOwner, offset: int, copy_page: int | None, *, confirmed: bool = False) -> str:
    page = "" if copy_page is None else str(copy_page)
    return SEPARATOR.join((owner.reading_id, str(offset), page, _CONFIRMED if confirmed else ""))
