"""`suggest` and `poll`: choose the next book; suggestions are anonymous, and counts stay hidden until the poll closes.

Discord's own polls show the counts right away, so every platform uses buttons.
"""

import re
from typing import Final

from core.catalogue.sentences import say, say_count, sentence
from core.club.commands.values import SEPARATOR, Choice, Command, CommandRequest, CommandResponse, Option, Who
from core.domain.errors import ThusfarError
from core.domain.messages import plain_name
from core.domain.poll import Poll, Proposal
from core.ports.polls import PollRepository

CHOOSE: Final = ".choose"
_NEXT: Final = "next"
_CLOSE: Final = "close"
_BY: Final = re.compile(r"\s+by\s+(?=\S)", re.IGNORECASE)
_LONGEST: Final = 100
_LONGEST_LABEL: Final = 70
_MOST: Final = 20
_FEWEST: Final = 2
_TOO_LONG: Final = sentence("A title and its author can have at most {most} characters each.")
_TOO_FEW: Final = sentence("A poll needs two titles. Suggest one with `/suggest` and a title; your name isn't shown.")
_NOTHING: Final = sentence(
    "No one has suggested a book yet. Suggest one with `/suggest` and a title; your name isn't shown."
)
_NO_POLL: Final = sentence("No poll is open. `/poll next` opens one.")
_OVER: Final = sentence("That poll is over.")
_ALREADY: Final = sentence("A poll is already open. `/poll close` ends it.")


class PollCommands:
    """`suggest TITLE by AUTHOR`, `poll next`, `poll close`, and the buttons of a poll."""

    def __init__(self, polls: PollRepository) -> None:
        self._polls = polls

    def commands(self) -> list[Command]:
        """Return the commands; the one behind buttons comes last."""
        return [
            Command(
                words="suggest",
                takes=Option(name="title", hint=sentence("a title, by its author"), is_optional=True),
                help=sentence("suggest what to read next, without your name; with no title, show the suggestions"),
                is_said=lambda text: "?" not in text,
                run=self._suggest,
            ),
            Command(
                words="poll",
                takes=Option(name="what", hint=sentence("next or close"), choices=(_NEXT, _CLOSE)),
                who=Who.ORGANISERS,
                help=sentence("vote on the next book, or close the vote"),
                run=self._poll,
            ),
            Command(words=CHOOSE, stays=True, run=self._choose),
        ]

    async def _suggest(self, request: CommandRequest) -> CommandResponse:
        """Save a title, one for each member; without one, list them. Raises ThusfarError if it is too long."""
        club = {"scope": request.thread.scope, "place": request.thread.place}
        said = plain_name(request.text)
        if not said:
            proposals = await self._polls.proposals(**club)
            if not proposals:
                return CommandResponse(text=say(_NOTHING))
            return CommandResponse(text="\n".join([say("Suggested so far:"), *(f"- {each}" for each in proposals)]))
        title, author = _title_and_author(said)
        if max(len(title), len(author)) > _LONGEST:
            raise ThusfarError(say(_TOO_LONG, most=_LONGEST))
        proposal = Proposal(title=title, author=author)
        await self._polls.propose(**club, member_id=request.member.member_id, proposal=proposal)
        number = len(await self._polls.proposals(**club))
        return CommandResponse(
            text=say_count(
                "Suggested: {proposal}. No one sees that it was you, and a new suggestion replaces it. There is one "
                "title so far.",
                "Suggested: {proposal}. No one sees that it was you, and a new suggestion replaces it. There are "
                "{number} titles so far.",
                number,
                proposal=proposal,
            )
        )

    async def _poll(self, request: CommandRequest) -> CommandResponse:
        """Open a poll on the suggestions, or close it.

        Raises:
            ThusfarError: there are too few titles, one is open already, or none is open.
        """
        club = {"scope": request.thread.scope, "place": request.thread.place}
        wanted = request.text.strip().lower()
        if wanted == _CLOSE:
            return await self._close(request)
        if wanted != _NEXT:
            raise ThusfarError(say("`/poll` takes `next` or `close`."))
        latest = await self._polls.latest(**club)
        if latest is not None and latest.is_open:
            raise ThusfarError(say(_ALREADY))
        proposals = (await self._polls.proposals(**club))[:_MOST]
        if len(proposals) < _FEWEST:
            raise ThusfarError(say(_TOO_FEW))
        return _poll_message(await self._polls.begin(**club, proposals=proposals), say("What should we read next?"))

    async def _close(self, request: CommandRequest) -> CommandResponse:
        """Announce the result; a tie starts another poll among the tied titles."""
        club = {"scope": request.thread.scope, "place": request.thread.place}
        poll = await self._polls.close(**club)
        if poll is None:
            raise ThusfarError(say(_NO_POLL))
        if not poll.votes:
            return CommandResponse(announcement=say("The poll is closed. No one voted."))
        if len(poll.leaders) > 1:
            again = await self._polls.begin(**club, proposals=poll.leaders)
            return _poll_message(again, say("{votes}\nIt's a tie, so vote once more:", votes=_result(poll)))
        (winner,) = poll.leaders
        await self._polls.withdraw(**club, proposal=winner)
        return CommandResponse(
            announcement=say(
                "{votes}\n**The next book is {winner}.** An organiser adds it with `/book add`.",
                votes=_result(poll),
                winner=winner,
            )
        )

    async def _choose(self, request: CommandRequest) -> CommandResponse:
        """Count a vote. Raises ThusfarError if the poll is over."""
        poll_id, option = map(int, request.text.split(SEPARATOR))
        poll = await self._polls.vote(
            scope=request.thread.scope,
            place=request.thread.place,
            poll_id=poll_id,
            member_id=request.member.member_id,
            option=option,
        )
        if poll is None:
            raise ThusfarError(say(_OVER))
        return CommandResponse(
            text=say(
                "You voted for {proposal}. You can change your vote until the poll closes.",
                proposal=poll.proposals[option],
            )
        )


def _title_and_author(said: str) -> tuple[str, str]:
    """Split at the last “by”, since titles have one too: *Death by Drowning by J. Cole*."""
    parts = _BY.split(said)
    if len(parts) == 1:
        return said, ""
    author = parts[-1]
    return said[: -len(author)].rstrip()[: -len("by")].rstrip(" ,"), author


def _poll_message(poll: Poll, question: str) -> CommandResponse:
    choices = (
        Choice(label=each.label[:_LONGEST_LABEL], command=CHOOSE, text=f"{poll.poll_id}{SEPARATOR}{place}")
        for place, each in enumerate(poll.proposals)
    )
    return CommandResponse(
        announcement=say(
            "{question}\nOne vote each. You'll see the counts when an organiser says `/poll close`.", question=question
        ),
        choices=tuple(choices),
    )


def _result(poll: Poll) -> str:
    """Return the proposals that got votes with their counts, most votes first."""
    places = sorted(poll.counts, key=lambda place: (-poll.counts[place], place))
    return ", ".join(f"{poll.proposals[place]}: {poll.counts[place]}" for place in places)
