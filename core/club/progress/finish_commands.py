"""`finish` and `statistics`: a club looks back on a book, in totals; no member is named."""

from datetime import datetime
from typing import Final

from core.answering.positions import PositionService
from core.answering.threads import ThreadService
from core.catalogue.sentences import say, say_count, sentence
from core.club.commands.values import SEPARATOR, Choice, Command, CommandRequest, CommandResponse, Who
from core.club.position.move_effects import LOOK_BACK
from core.club.progress.export_commands import EXPORT
from core.domain.club_record import HowFar, Ratings, ReadingSums
from core.domain.club_state import ClubState
from core.domain.errors import PositionError, ThusfarError
from core.domain.messages import plain_name
from core.domain.scopes import is_private
from core.ports.club_record import ClubRecord

RATE: Final = ".rate"
HOW_FAR: Final = ".howfar"
_MOST_STARS: Final = 5
_FEWEST_VOTES: Final = 3
_WEEK: Final = 7
_WHOLE: Final = 100
_TOTALS_ONLY: Final = sentence("I name no one, and show an average only once there are {fewest} votes.")
_ANOTHER_BOOK: Final = sentence("The club is reading another book now.")
_LABELS: Final = {
    HowFar.READ: sentence("I have finished"),
    HowFar.PARTLY: sentence("Read in part"),
    HowFar.NOT: sentence("Not read"),
}


class FinishCommands:
    """`finish`, `statistics`, and the buttons under the end of a book."""

    def __init__(self, *, threads: ThreadService, positions: PositionService, record: ClubRecord) -> None:
        self._threads = threads
        self._positions = positions
        self._record = record

    def commands(self) -> list[Command]:
        """Return the commands; those behind buttons come last."""
        organisers = Who.ORGANISERS
        return [
            Command(
                words="finish",
                who=organisers,
                help=sentence("look back on the book you finished"),
                takes_away=True,
                run=self._end,
            ),
            Command(
                words="statistics",
                who=organisers,
                help=sentence("show totals of questions and pages"),
                run=self._statistics,
            ),
            Command(words=".statistics", who=organisers, run=self._statistics),
            Command(words=LOOK_BACK, who=organisers, stays=True, run=self._end),
            Command(words=RATE, stays=True, run=self._rate),
            Command(words=HOW_FAR, stays=True, run=self._how_far),
        ]

    async def _end(self, request: CommandRequest) -> CommandResponse:
        """Look back in public, with a rating; only at the end, since it is about the whole book.

        Raises:
            PositionError: the page is before the end.
        """
        club = await self._threads.club(request.thread, request.member.member_id)
        outline = club.outline.at(club.page_of_all)
        if (club.page_of_all or 0) < outline.story_end:
            raise PositionError(say("The page has to be at the end first. `/setpage end` sets it there."))
        sums = await self._record.sums(club.reading_id)
        finished = say(
            "**You have finished *{title}***: {sums}.",
            title=plain_name(outline.title or club.book.title),
            sums=_totals(sums, club.now),
        )
        parts = (
            say("How many stars, and how much of it have you read?"),
            "" if is_private(request.thread.scope) else say(_TOTALS_ONLY, fewest=_FEWEST_VOTES),
            _average(await self._record.ratings(club.reading_id)),
        )
        return CommandResponse(
            announcement="\n".join((finished, " ".join(filter(None, parts)))),
            choices=(
                *(
                    Choice(label="★" * stars, command=RATE, text=f"{club.reading_id}{SEPARATOR}{stars}")
                    for stars in range(1, _MOST_STARS + 1)
                ),
                *(
                    Choice(label=say(label), command=HOW_FAR, text=f"{club.reading_id}{SEPARATOR}{how_far}")
                    for how_far, label in _LABELS.items()
                ),
            ),
            text=say("You can have everything you did with it as files for your own archive."),
            offers=(Choice(label=say("Export"), command=EXPORT),),
        )

    async def _statistics(self, request: CommandRequest) -> CommandResponse:
        """Show the totals of a reading to an organiser."""
        club = await self._threads.club(request.thread, request.member.member_id)
        sums, now = await self._record.sums(club.reading_id), club.now
        position = club.page_of_all or 0
        lines = [say("{title}: {sums}.", title=plain_name(club.book.title), sums=_totals(sums, now))]
        if sums.questions:
            lines.append(
                say_count(
                    "{found} of {number} question ({percent} %) were answered from the book.",
                    "{found} of {number} questions ({percent} %) were answered from the book.",
                    sums.questions,
                    found=sums.found,
                    percent=sums.found * _WHOLE // sums.questions,
                )
            )
        if sums.begun_at is not None:
            a_week = round(position / _weeks(sums.begun_at, now))
            lines.append(say_count("About {number} page a week.", "About {number} pages a week.", a_week))
        parts = ("\n".join(lines), _average(await self._record.ratings(club.reading_id)))
        return CommandResponse(text=" ".join(filter(None, parts)))

    async def _rate(self, request: CommandRequest) -> CommandResponse:
        club, stars = await self._pressed(request)
        ratings = await self._record.rate(club.reading_id, request.member.member_id, stars=int(stars))
        parts = (say("Thank you: {stars}.", stars="★" * int(stars)), _average(ratings))
        return CommandResponse(text=" ".join(filter(None, parts)))

    async def _how_far(self, request: CommandRequest) -> CommandResponse:
        """Save how much a member has read; “finished” moves their own page to the end."""
        club, said = await self._pressed(request)
        how_far = HowFar(said)
        await self._record.rate(club.reading_id, request.member.member_id, how_far=how_far)
        if how_far is not HowFar.READ:
            return CommandResponse(text=say("Thank you. No one sees how far you've read."))
        await self._positions.move_member(club, club.outline.at(club.reached).story_end, told_in=request.thread)
        return CommandResponse(text=say("Well done! Your own page is at the end now."))

    async def _pressed(self, request: CommandRequest) -> tuple[ClubState, str]:
        """Return the club and the value of a button. Raises ThusfarError if the club reads another book now."""
        reading_id, _, said = request.text.partition(SEPARATOR)
        club = await self._threads.club(request.thread, request.member.member_id)
        if club.reading_id != reading_id:
            raise ThusfarError(say(_ANOTHER_BOOK))
        return club, said


def _totals(sums: ReadingSums, now: datetime) -> str:
    """Return the totals in words; zeros are left out, except for the questions."""
    weeks = 0 if sums.begun_at is None else round(_weeks(sums.begun_at, now))
    parts = (
        weeks and say_count("{number} week", "{number} weeks", weeks),
        say_count("{number} question", "{number} questions", sums.questions),
        sums.quotes and say_count("{number} quote", "{number} quotes", sums.quotes),
        sums.predictions and say_count("{number} prediction", "{number} predictions", sums.predictions),
    )
    return ", ".join(each for each in parts if each)


def _average(ratings: Ratings) -> str:
    """Return the average, or "" while so few have voted that it could identify someone."""
    if ratings.given < _FEWEST_VOTES:
        return ""
    return say_count(
        "So far: {average:.1f} of {stars} stars, {number} vote.",
        "So far: {average:.1f} of {stars} stars, {number} votes.",
        ratings.given,
        average=ratings.average,
        stars=_MOST_STARS,
    )


def _weeks(since: datetime, now: datetime) -> float:
    """Return the weeks since then, at least one."""
    return max((now - since).days / _WEEK, 1.0)
