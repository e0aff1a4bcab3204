"""App Home: a member's clubs, with book and page, and a button for the member's own page.

Only channels that both the member and the bot are in are shown (users.conversations).
"""

import logging
from collections import deque
from dataclasses import replace
from typing import Any, Final

from adapters.platform.surface import OutOfReachError, RefusedError
from adapters.slack.listening import is_direct, thread_of
from adapters.slack.people import PLATFORM
from adapters.slack.render import SET_PAGE, Spot, actions, mrkdwn
from adapters.slack.surface import SlackSurface
from adapters.slack.workspace import Workspace
from core.catalogue.sentences import say, say_count, sentence
from core.club.browser.member_clubs import MemberClub
from core.club.commands.values import Choice
from core.domain.position import footer
from core.domain.progress import progress_bar

_log = logging.getLogger(__name__)

_MOST_PAGES: Final = 5
_MOST_ANEW: Final = 20
_MOST_CLUBS: Final = 30
_KINDS: Final = "public_channel,private_channel,mpim"
_OFFERED: Final = (
    Choice(label=sentence("Ask a question"), command=SET_PAGE, text="ask"),
    Choice(label=sentence("Set my page"), command=SET_PAGE, text="mypage"),
)
_NOTHING: Final = sentence(
    "None of your clubs is reading a book yet. Start in a channel with `/thusfar book use sample`."
)


class Home:
    """Publishes App Home when a member opens it, and again after changes for those who opened it last."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._opened: deque[str] = deque(maxlen=_MOST_ANEW)

    async def open(self, user_id: str) -> None:
        """Show a member their home; it is updated from then on."""
        if user_id in self._opened:
            self._opened.remove(user_id)
        self._opened.append(user_id)
        await self.publish(user_id)

    @property
    def is_looked_at(self) -> bool:
        """Whether anyone has opened it."""
        return bool(self._opened)

    async def publish_again(self) -> None:
        """Update the homes of those who opened it last."""
        for user_id in tuple(self._opened):
            await self.publish(user_id)

    async def publish(self, user_id: str) -> None:
        """Show a member their home; never raises."""
        calls = self._workspace.calls
        try:
            view = {"type": "home", "blocks": await self._blocks(await self._clubs(user_id), user_id)}
            await calls.ask(calls.client.views_publish, user_id=user_id, view=view)
        except (OutOfReachError, RefusedError) as error:
            _log.warning("The home of %s could not be shown: %s", user_id, error)

    async def _clubs(self, user_id: str) -> list[MemberClub]:
        team_id, found = self._workspace.me.team_id, await self._channels(user_id)
        places = [
            thread_of(team_id, channel, None, user_id=user_id, direct=False)
            for channel in found
            if self._workspace.is_allowed(channel)
        ]
        own = thread_of(team_id, "", None, user_id=user_id, direct=True)
        clubs = await self._workspace.services.member_clubs.execute([*places, own], member_id=f"{PLATFORM}:{user_id}")
        return clubs[:_MOST_CLUBS]

    async def _channels(self, user_id: str) -> list[str]:
        calls = self._workspace.calls
        method = calls.client.users_conversations
        found = await calls.pages(
            method, "channels", most=_MOST_PAGES, user=user_id, types=_KINDS, exclude_archived=True
        )
        return [str(one["id"]) for one in found if not is_direct(str(one["id"]))]

    async def _blocks(self, clubs: list[MemberClub], user_id: str) -> list[dict[str, Any]]:
        heading = {"type": "header", "text": {"type": "plain_text", "text": say("Your book clubs")}}
        blocks: list[dict[str, Any]] = [heading]
        if not clubs:
            return [*blocks, _section(say(_NOTHING))]
        for club in clubs:
            blocks.append(_section(_line(club)))
            if not _is_own(club):
                surface = SlackSurface(self._workspace, Spot(channel=club.thread.place), user_id, ref="home")
                offered = await surface.sealed([replace(each, label=say(each.label)) for each in _OFFERED], alone=True)
                blocks.append(actions(offered, surface.spot))
        return blocks


def _line(club: MemberClub) -> str:
    where = say("Just you and me") if _is_own(club) else f"<#{club.thread.place}>"
    shown = say(
        "{channel}: *{title}*, {pages}, {page}.",
        channel=where,
        title=mrkdwn(club.title),
        pages=say_count("{number} page", "{number} pages", club.pages),
        page=footer(club.position, name=club.name),
    )
    if club.own is not None:
        own = say("Your own page: {page}.", page=footer(club.own, name=club.name))
        shown = f"{shown} {own}"
    reached = club.own if club.own is not None else club.position
    return shown if reached is None else f"{shown}\n{progress_bar(reached, club.pages)}"


def _is_own(club: MemberClub) -> bool:
    return club.thread.place == club.thread.thread


def _section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}
