"""`predict` and `predictions`: what members think will happen, sealed until the book can tell.

No one sees one before its page, and no model does. Only the club judges it: any other verdict would be a spoiler.
"""

import re
from dataclasses import replace
from math import ceil
from typing import Final

from core.answering.positions import page_of_member
from core.catalogue.sentences import say, sentence
from core.club.commands.values import SEPARATOR, Choice, Command, CommandRequest, CommandResponse, Option
from core.club.position.move_effects import OPEN_PREDICTION
from core.club.sealed.leaving import Leaving
from core.domain.club_state import ClubState
from core.domain.errors import PositionError, ThusfarError
from core.domain.messages import plain_name
from core.domain.position import NamedPosition
from core.domain.sealed_item import SealedItem, SealedItemKind, Vote

VOTE: Final = ".vote"
_CHANGE: Final = re.compile(r"change\s*:?\s+", re.IGNORECASE)
_UNTIL: Final = re.compile(r"[\s,]+until\s+(?P<place>.{1,40}?)[.!?]?\s*$", re.IGNORECASE)
_WHOLE = 100
_LONGEST: Final = 500
_MOST_SEALED: Final = 10
_MOST_LISTED: Final = 15
_MOST_BUTTONS: Final = 5
_NO_WORDS: Final = sentence(
    "What do you think will happen? Use `/predict` and your words, with `until p. 146` if you like."
)
_TOO_LONG: Final = sentence("A prediction can have at most {most} characters.")
_TOO_MANY: Final = sentence("You already have {most} sealed predictions here. Wait until one opens.")
_BEFORE: Final = sentence("It has to open on a page the club hasn't reached.")
_NONE_TO_CHANGE: Final = sentence(
    "You have no prediction to change. Once the page has moved, a sealed one stays as it is."
)
_NOT_OPEN: Final = sentence("That prediction is still sealed here.")
_NONE: Final = sentence("No one has sealed a prediction about this book yet. Make one with `/predict` and your words.")


class PredictionCommands:
    """`predict TEXT [until p. 146]`, `predictions`, and the buttons to open a prediction and to vote on it."""

    def __init__(self, leaving: Leaving) -> None:
        self._leaving = leaving
        self._threads = leaving.threads
        self._sealed_items = leaving.sealed_items

    def commands(self) -> list[Command]:
        """Return the commands; those behind buttons come last."""
        return [
            Command(
                words="predict",
                takes=Option(name="what", hint=sentence("what will happen, until p. 146")),
                help=sentence("seal what you think will happen, until a page or the end"),
                run=self._predict,
            ),
            Command(
                words="predictions",
                help=sentence("list sealed predictions, and open those the book has answered"),
                run=self._predictions,
            ),
            Command(words=OPEN_PREDICTION, stays=True, run=self._open),
            Command(words=VOTE, stays=True, run=self._vote),
        ]

    async def _predict(self, request: CommandRequest) -> CommandResponse:
        """Seal a prediction, or with `change` replace the last one that was sealed on this page.

        Raises:
            PositionError: no page is set, or the page to open at is already read.
            ThusfarError: there are no words, too many, or too many predictions; or nothing can be changed.
        """
        club, position = await self._leaving.club_and_page(request)
        changed = _CHANGE.match(request.text)
        said = request.text[changed.end() :] if changed else request.text
        words, opens_at, place = _until(club, said, position)
        theirs = await self._sealed_by(club, position)
        if changed:
            await self._change(theirs, words, opens_at, position)
            return CommandResponse(text=say("Changed, and sealed until {place}: “{words}”", place=place, words=words))
        if len(theirs) >= _MOST_SEALED:
            raise ThusfarError(say(_TOO_MANY, most=_MOST_SEALED))
        sealed = await self._leaving.leave(club, SealedItemKind.PREDICTION, words, request, opens_at=opens_at)
        return CommandResponse(
            text=say(
                "Sealed until {place}: “{words}”\nUntil the page moves, `/predict change` changes the words.",
                place=place,
                words=words,
            ),
            announcement=say(
                "🔒 {member} sealed a prediction at p. {page}.",
                member=plain_name(request.name),
                page=club.page_name(sealed.made_at),
            ),
        )

    async def _change(self, theirs: list[SealedItem], words: str, opens_at: int, position: int) -> None:
        last = max((each for each in theirs if each.made_at == position), key=lambda one: one.keepsake_id, default=None)
        if last is None:
            raise ThusfarError(say(_NONE_TO_CHANGE))
        await self._sealed_items.change(replace(last, text=words, opens_at=opens_at))

    async def _predictions(self, request: CommandRequest) -> CommandResponse:
        """List the open and the sealed predictions, with buttons for those that are open at the thread's page.

        The page and order in which they open stay hidden: they could show where an unread chapter begins.
        """
        club = await self._threads.club(request.thread, request.member.member_id)
        position = club.page_of_all or 0
        kept = await self._sealed_items.of_reading(club.reading_id, SealedItemKind.PREDICTION)
        if not kept:
            return CommandResponse(text=say(_NONE))
        name = club.page_name
        opened = [each for each in kept if each.opens_at <= position]
        sealed = sorted((each for each in kept if each.opens_at > position), key=lambda one: one.keepsake_id)
        lines = [
            say(line, member=plain_name(each.member_name), page=name(each.made_at))
            for line, several in (
                (sentence("🔓 {member}, at p. {page}: open"), opened),
                (sentence("🔒 {member}, at p. {page}: sealed"), sealed),
            )
            for each in several
        ]
        more = len(lines) - _MOST_LISTED
        return CommandResponse(
            text="\n".join([*lines[:_MOST_LISTED], *([say("(and {number} more)", number=more)] if more > 0 else [])]),
            choices=tuple(
                Choice(
                    label=say("{member}, p. {page}", member=plain_name(each.member_name), page=name(each.made_at)),
                    command=OPEN_PREDICTION,
                    text=str(each.keepsake_id),
                )
                for each in opened[-_MOST_BUTTONS:]
            ),
        )

    async def _open(self, request: CommandRequest) -> CommandResponse:
        """Show a prediction in public, with a vote. Raises ThusfarError if it is sealed at the current page."""
        club = await self._threads.club(request.thread, request.member.member_id)
        item = await self._leaving.opened(club, int(request.text), closed=_NOT_OPEN)
        opened = sentence("🔓 {member} at p. {page}: “{prediction}”")
        if item.had_read_further:
            opened = sentence("🔓 {member} (who had read further) at p. {page}: “{prediction}”")
        votes = await self._sealed_items.votes(item.keepsake_id)
        asked = say("How did it turn out?")
        if votes.counts:
            asked = say("How did it turn out? So far: {votes}.", votes=votes)
        who, page = plain_name(item.member_name), club.page_name(item.made_at)
        return CommandResponse(
            announcement=f"{say(opened, member=who, page=page, prediction=item.text)}\n{asked}",
            choices=tuple(
                Choice(label=say(vote).capitalize(), command=VOTE, text=f"{item.keepsake_id}{SEPARATOR}{vote}")
                for vote in Vote
            ),
        )

    async def _vote(self, request: CommandRequest) -> CommandResponse:
        number, _, vote = request.text.partition(SEPARATOR)
        club = await self._threads.club(request.thread, request.member.member_id)
        item = await self._leaving.opened(club, int(number), closed=_NOT_OPEN)
        votes = await self._sealed_items.vote(item.keepsake_id, request.member.member_id, Vote(vote))
        return CommandResponse(text=say("Your vote counts as {vote}. So far: {votes}.", vote=say(vote), votes=votes))

    async def _sealed_by(self, club: ClubState, position: int) -> list[SealedItem]:
        kept = await self._sealed_items.of_reading(club.reading_id, SealedItemKind.PREDICTION)
        return [each for each in kept if each.member_id == club.member_id and each.opens_at > position]


def _opens_at(named: NamedPosition, club: ClubState) -> int:
    """Return the page of a named place: of a share, without the margin that readers get."""
    if named.percent is None:
        return named.position or 0
    outline = club.outline.counted_at(club.reached)
    return outline.begin + ceil(outline.story_pages * named.percent / _WHOLE)


def _until(club: ClubState, said: str, position: int) -> tuple[str, int, str]:
    """Split the text into the prediction, the page at which it opens, and that page in the member's words.

    The default is the end of the story. “Until” belongs to the prediction if no page follows it.
    """
    words, opens_at, place = said, club.outline.at(position).story_end, say("the end")
    if until := _UNTIL.search(said):
        try:
            named = page_of_member(club, until["place"], current=position)
        except PositionError:
            named = None
        if isinstance(named, NamedPosition) and named.position is not None:
            words, opens_at = said[: until.start()], _opens_at(named, club)
            place = plain_name(until["place"])
    words = " ".join(words.split())
    if not words:
        raise ThusfarError(say(_NO_WORDS))
    if len(words) > _LONGEST:
        raise ThusfarError(say(_TOO_LONG, most=_LONGEST))
    if opens_at <= position:
        raise PositionError(say(_BEFORE))
    return words, opens_at, place
