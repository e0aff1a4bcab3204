"""`watch`: whether members are warned in private about spoilers in their own posts."""

from typing import Final

from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Command, CommandRequest, CommandResponse, Option, Who
from core.domain.errors import ThusfarError
from core.domain.scopes import is_private
from core.ports.watches import Watches

_ON: Final = "on"
_OFF: Final = "off"
_NOBODY_ELSE: Final = sentence(
    "You're alone with me here, so you can't spoil the book for anyone. Use `/watch` in a channel where a club reads."
)
# Note: follows "It's on:" and "From now on,".
_WHAT: Final = sentence(
    "if your own page is ahead of a thread's and your post gives something away there, I tell you "
    "privately, at most once a day. I delete nothing and tell no one else. I go by the page you set with "
    "`/mypage`."
)


class WatchCommand:
    """Turns the watch on or off for a whole club, and shows which it is."""

    def __init__(self, *, threads: ThreadService, watches: Watches) -> None:
        self._threads = threads
        self._watches = watches

    def commands(self) -> list[Command]:
        """Return the command."""
        return [
            Command(
                words="watch",
                takes=Option(name="to", hint=sentence("on or off"), is_optional=True, choices=(_ON, _OFF)),
                who=Who.ORGANISERS,
                help=sentence("privately tell members when their post gives away what comes after the thread's page"),
                run=self._watch,
            )
        ]

    async def _watch(self, request: CommandRequest) -> CommandResponse:
        if is_private(request.thread.scope):
            return CommandResponse(text=say(_NOBODY_ELSE))
        state = await self._threads.place(request.thread)
        if state is None:
            raise ThusfarError(await self._threads.why_no_book(request.thread))
        club_id = state.standing.reading.club_id
        match request.text.strip().lower():
            case "":
                is_on = await self._watches.is_on(club_id)
                on = say("It's on: {what}", what=say(_WHAT))
                return CommandResponse(text=on if is_on else say("It's off. `/watch on` turns it on."))
            case "on":
                await self._watches.set_on(club_id, on=True)
                return CommandResponse(
                    announcement=say(
                        "{member} turned on `/watch`: from now on, {what}", member=request.name, what=say(_WHAT)
                    )
                )
            case "off":
                await self._watches.set_on(club_id, on=False)
                return CommandResponse(
                    announcement=say(
                        "{member} turned off `/watch`: I no longer tell members when their posts give something away.",
                        member=request.name,
                    )
                )
            case _:
                raise ThusfarError(say("Use `on` or `off`."))
