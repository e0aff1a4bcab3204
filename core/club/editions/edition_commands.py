"""Commands about copies with other page numbers: describing a copy, and finding the last words read in it."""

from dataclasses import replace

from core.answering.editions import Editions
from core.answering.positions import PositionService
from core.answering.threads import ThreadService
from core.catalogue.sentences import say, say_count, sentence
from core.club.commands.values import SEPARATOR, Choice, Command, CommandRequest, CommandResponse, Option, Who
from core.club.editions.calibration import Calibration, FoundPhrase
from core.club.position.asked_back import confirm_leap, leap_text
from core.club.position.move_effects import opened_by
from core.domain.club_state import ClubState
from core.domain.copy_numbers import PlaceInCopy, Unit, place_in_words
from core.domain.edition_forms import parse_edition, split_copy_place
from core.domain.errors import NotPermittedError, PositionError
from core.domain.position import NeedsConfirmation, Position, needs_confirmation
from core.domain.scopes import is_private

_COPY = sentence("312 (its last page), 312 first 7, 5200 locations, 9h30, ch 5 at 81 or reset")
_CONFIRMED = "yes"
_MOST_OFFERED = 5
_PAGE = sentence("p. {page}")
_EXCERPT = sentence("p. {page}: “… {excerpt}”")


class EditionCommands:
    """`edition`, `calibrate`, and the buttons under the places that were found."""

    def __init__(
        self, *, positions: PositionService, editions: Editions, calibration: Calibration, threads: ThreadService
    ) -> None:
        self._positions = positions
        self._editions = editions
        self._calibration = calibration
        self._threads = threads

    def commands(self) -> list[Command]:
        """Return the commands, that of buttons last."""
        return [
            Command(
                words="edition",
                takes=Option(
                    name="copy",
                    hint=_COPY,
                ),
                help=sentence("say which copy you have: pages, locations or an audiobook"),
                run=self._edition,
            ),
            Command(
                words="calibrate",
                takes=Option(name="words", hint=sentence("the last words you read")),
                help=sentence("find your page from the last words you read"),
                run=self._calibrate,
            ),
            Command(words=".calibrate", run=self._chosen),
            Command(
                words=".edition-club",
                takes=Option(
                    name="copy",
                    hint=_COPY,
                ),
                who=Who.ORGANISERS,
                help=sentence("say which copy you all have"),
                title=sentence("Our copy"),
                run=self._of_club,
            ),
        ]

    async def _edition(self, request: CommandRequest) -> CommandResponse:
        said = parse_edition(request.text)
        if said.for_club and not said.asks and not request.is_organiser:
            raise NotPermittedError(
                say("`/edition club` is for organisers of this club. `/edition` alone tells me about your copy.")
            )
        club = await self._club(request)
        return CommandResponse(text=await self._editions.say(club.at(club.reached), said))

    async def _of_club(self, request: CommandRequest) -> CommandResponse:
        """Set the copy of the whole club from a form. Raises PositionError if the form is empty."""
        if not request.text.strip():
            raise PositionError(say("Use `/edition club 312`, with the last page of the copy you all have."))
        return await self._edition(replace(request, text=f"club {request.text}"))

    async def _club(self, request: CommandRequest) -> ClubState:
        return await self._threads.club(request.thread, request.member.member_id)

    async def _calibrate(self, request: CommandRequest) -> CommandResponse:
        club = await self._club(request)
        copy_place, words = split_copy_place(request.text)
        current = _current(club, request)
        reached = current if current is not None else club.page_of_all
        found = await self._calibration.find(club.book.book_id, words, position=reached)
        if len(found) == 1:
            return await self._settle(club, request, found[0].offset, copy_place)
        return _offered(club, found, copy_place, reached)

    async def _chosen(self, request: CommandRequest) -> CommandResponse:
        """Move to a place that was chosen or confirmed, if the book is still the same."""
        club = await self._club(request)
        reading_id, offset, copy_place, confirmed = request.text.rsplit(SEPARATOR, 3)
        if club.reading_id != reading_id:
            raise PositionError(say("The club is reading another book now. Please use `/calibrate` again."))
        unit, _, number = copy_place.rpartition(" ")
        place = PlaceInCopy(unit=Unit(unit or Unit.PAGES), number=int(number)) if number else None
        return await self._settle(club, request, int(offset), place, confirmed=confirmed == _CONFIRMED)

    async def _settle(
        self,
        club: ClubState,
        request: CommandRequest,
        offset: int,
        copy_place: PlaceInCopy | None,
        *,
        confirmed: bool = False,
    ) -> CommandResponse:
        """Set the member's own page, or in a private conversation the shared page; learn the place in their copy."""
        outline, name = club.outline, club.page_name
        position, current = int(outline.pages_read(offset)), _current(club, request)
        if needs_confirmation(current, position, outline.counted_at(current).count) and not confirmed:
            leap = NeedsConfirmation(from_page=current or 0, to_page=position, pages=outline.counted_at(current).count)
            button = _button(club, offset, copy_place, confirmed=True)
            return confirm_leap(leap, name, command=".calibrate", text=button)
        if copy_place is not None:
            club = await self._editions.learn(club.at(position), copy_place, offset)
        learned = _learned(club, copy_place)
        page = outline.page_holding(offset)
        if position < page:
            told = say("These words are on p. {page}, before its end.", page=name(page))
        else:
            told = say("These words are on p. {page}.", page=name(page))
        if is_private(request.thread.scope):
            moved = await self._positions.move(club, position, member=request.member, told_in=request.thread)
            opened = opened_by(club, moved, request.thread)
            return CommandResponse(
                announcement=moved.announcement + opened.told, text=" ".join((told, learned)), choices=opened.choices
            )
        await self._positions.move_member(club, position, told_in=request.thread)
        for_all = club.standing.set_for_all
        offers = for_all != position
        leap_all = Choice(
            label=say("For everyone"), command=".leap", text=leap_text(club.reading_id, for_all, position)
        )
        parts = [told, say("Your own page is set: {page}.", page=club.private_footer(position)), learned]
        if offers and for_all is not None:
            parts.append(
                say("For everyone, that's from p. {before} to p. {page}.", before=name(for_all), page=name(position))
            )
        return CommandResponse(text=" ".join(parts), choices=(leap_all,) if offers else ())


def _offered(
    club: ClubState, found: list[FoundPhrase], copy_place: PlaceInCopy | None, reached: Position
) -> CommandResponse:
    """Ask the member to choose a place; unread places show only the page number."""
    name = club.page_name
    best = sorted(found, key=lambda one: (-round(one.score), abs(one.page - (reached or 0))))[:_MOST_OFFERED]
    offered = [one for one in found if one in best]
    lines = [
        say("These words are in several places. Which is yours?"),
        *(say(_EXCERPT if one.excerpt else _PAGE, page=name(one.page), excerpt=one.excerpt) for one in offered),
    ]
    if more := len(found) - len(offered):
        lines.append(
            say_count(
                "({number} more fits about as well. More words help.)",
                "({number} more fit about as well. More words help.)",
                more,
            )
        )
    return CommandResponse(
        text="\n".join(lines),
        choices=tuple(
            Choice(
                label=say("p. {page}", page=name(one.page)),
                command=".calibrate",
                text=_button(club, one.offset, copy_place),
            )
            for one in offered
        ),
    )


def _learned(club: ClubState, copy_place: PlaceInCopy | None) -> str:
    if copy_place is None:
        return say("Use `/calibrate p. 81` and the words, with the page in your copy, and I'll learn its page numbers.")
    place = place_in_words(copy_place.unit, copy_place.number)
    if club.own_edition is None or not club.own_edition.converts:
        return say(
            "That's {place} of your copy. One more place like this and I'll understand its numbers.", place=place
        )
    return say("That's {place} of your copy. I go by its numbers.", place=place)


def _current(club: ClubState, request: CommandRequest) -> Position:
    """Return the page that moves: the member's own, or the shared page in a private conversation."""
    return club.standing.set_for_all if is_private(request.thread.scope) else club.own_page


def _button(club: ClubState, offset: int, copy_place: PlaceInCopy | None, *, confirmed: bool = False) -> str:
    place = "" if copy_place is None else f"{copy_place.unit} {copy_place.number}"
    return SEPARATOR.join((club.reading_id, str(offset), place, _CONFIRMED if confirmed else ""))
