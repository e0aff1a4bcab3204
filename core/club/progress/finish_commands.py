"""`finish` and `statistics`: a club looks back on a book, in sums alone; no member is named and none judged."""

from datetime import datetime
from typing import Final

from core.answering.positions import PositionService
from core.answering.threads import ThreadService
from core.club.commands.values import SEPARATOR, Choice, Command, CommandRequest, CommandResponse, Who
from core.club.position.move_effects import LOOK_BACK
from core.club.progress.export_commands import EXPORT
from core.domain.club_record import HowFar, Ratings, ReadingSums
from core.domain.club_state import ClubState
from core.domain.errors import PositionError, ThusfarError
from core.domain.messages import counted, plain_name
from core.domain.scopes import is_private
from core.ports.club_record import ClubRecord

RATE: Final = ".rate"
HOW_FAR: Final = ".howfar"
"""Looks back on a book, offered where a club comes to its end."""
_MOST_STARS: Final = 5
_FEWEST_VOTES: Final = 3
_WEEK: Final = 7
_WHOLE: Final = 100
_IN_SUMS: Final = f" I name no one, and show an average only from {_FEWEST_VOTES} votes on."
_ANOTHER_BOOK: Final = "The club is reading another book now."
_LABELS: Final = {HowFar.READ: "I have finished", HowFar.PARTLY: "Read in part", HowFar.NOT: "Not read"}


class FinishCommands:
    """`finish`, `statistics`, and the buttons under the end of a book."""

    def __init__(self, *, threads: ThreadService, positions: PositionService, record: ClubRecord) -> None:
        self._threads = threads
        self._positions = positions
        self._record = record

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
        organisers = Who.ORGANISERS
        return [
            Command(
                words="finish",
                who=organisers,
                help="look back on the book you finished",
                takes_away=True,
                run=self._end,
            ),
            Command(
                words="statistics", who=organisers, help="show totals of questions and pages", run=self._statistics
            ),
            Command(words=".statistics", who=organisers, run=self._statistics),
            Command(words=LOOK_BACK, who=organisers, stays=True, run=self._end),
            Command(words=RATE, stays=True, run=self._rate),
            Command(words=HOW_FAR, stays=True, run=self._how_far),
        ]

    async def _end(self, request: CommandRequest) -> CommandResponse:
        """Look back for all, with a rating; offered at the end alone, since it speaks of the whole book.

        Raises:
            PositionError: the page is before the end.
        """
        club = await self._threads.club(request.thread, request.member.member_id)
        if (club.page_of_all or 0) < club.outline.story_end:
            raise PositionError("Everyone has to be at the end first. `/setpage end` says so.")
        sums = await self._record.sums(club.reading_id)
        return CommandResponse(
            announcement=(
                f"**You have finished *{plain_name(club.book.title)}***: {', '.join(_told(sums, club.now))}.\n"
                "How many stars, and how much of it have you read?"
                f"{'' if is_private(request.thread.scope) else _IN_SUMS}"
                f"{_averaged(await self._record.ratings(club.reading_id))}"
            ),
            choices=(
                *(
                    Choice(label="★" * stars, command=RATE, text=f"{club.reading_id}{SEPARATOR}{stars}")
                    for stars in range(1, _MOST_STARS + 1)
                ),
                *(
                    Choice(label=label, command=HOW_FAR, text=f"{club.reading_id}{SEPARATOR}{how_far}")
                    for how_far, label in _LABELS.items()
                ),
            ),
            text="You can have everything you did with it as files for your own archive.",
            offers=(Choice(label="Export", command=EXPORT),),
        )

    async def _statistics(self, request: CommandRequest) -> CommandResponse:
        """Show the sums of a reading to an organiser."""
        club = await self._threads.club(request.thread, request.member.member_id)
        sums, now = await self._record.sums(club.reading_id), club.now
        position = club.page_of_all or 0
        lines = [f"{plain_name(club.book.title)}: {', '.join(_told(sums, now))}."]
        if sums.questions:
            share = sums.found * _WHOLE // sums.questions
            asked = counted(sums.questions, "question")
            lines.append(f"{sums.found} of {asked} ({share} %) were answered from the book.")
        if sums.begun_at is not None:
            lines.append(f"About {counted(round(position / _weeks(sums.begun_at, now)), 'page')} a week.")
        return CommandResponse(text="\n".join(lines) + _averaged(await self._record.ratings(club.reading_id)))

    async def _rate(self, request: CommandRequest) -> CommandResponse:
        club, stars = await self._pressed(request)
        ratings = await self._record.rate(club.reading_id, request.member.member_id, stars=int(stars))
        return CommandResponse(text=f"Thank you: {'★' * int(stars)}.{_averaged(ratings)}")

    async def _how_far(self, request: CommandRequest) -> CommandResponse:
        """Keep how much a member has read; whoever has finished stands at the end, themselves alone."""
        club, said = await self._pressed(request)
        how_far = HowFar(said)
        await self._record.rate(club.reading_id, request.member.member_id, how_far=how_far)
        if how_far is not HowFar.READ:
            return CommandResponse(text="Thank you. No one sees how far you've read.")
        await self._positions.move_member(club, club.outline.story_end, told_in=request.thread)
        return CommandResponse(text="Well done! Your own page is at the end now.")

    async def _pressed(self, request: CommandRequest) -> tuple[ClubState, str]:
        """Return whose book a button is about, and what it says. Raises ThusfarError where that is read no more."""
        reading_id, _, said = request.text.partition(SEPARATOR)
        club = await self._threads.club(request.thread, request.member.member_id)
        if club.reading_id != reading_id:
            raise ThusfarError(_ANOTHER_BOOK)
        return club, said


def _told(sums: ReadingSums, now: datetime) -> list[str]:
    """Return the sums in words, those that are nothing left out but for the questions."""
    weeks = "" if sums.begun_at is None else counted(round(_weeks(sums.begun_at, now)), "week")
    quotes, predictions = counted(sums.quotes, "quote"), counted(sums.predictions, "prediction")
    told = (weeks, counted(sums.questions, "question"), sums.quotes and quotes, sums.predictions and predictions)
    return [each for each in told if each]


def _averaged(ratings: Ratings) -> str:
    """Return the average, from so many votes on that it tells of nobody; else nothing."""
    if ratings.given < _FEWEST_VOTES:
        return ""
    return f" So far: {ratings.average:.1f} of {_MOST_STARS} stars, {counted(ratings.given, 'vote')}."


def _weeks(since: datetime, now: datetime) -> float:
    """Return the weeks since then, one at least."""
    return max((now - since).days / _WEEK, 1.0)
