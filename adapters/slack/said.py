"""A Slack message as a surface: it can be answered, get reactions and be read again."""

import logging
from typing import Any, Final

from typing_extensions import override

from adapters.platform.fetching import FileHost
from adapters.platform.surface import (
    GoneError,
    MessageSurface,
    NoRightError,
    OfferedFile,
    RefusedError,
    Surface,
    Words,
)
from adapters.slack.calls import Method
from adapters.slack.listening import SlackMessage, order_of, place_of, said_by
from adapters.slack.people import PLATFORM
from adapters.slack.render import (
    Spot,
    parts_of,
    people_in,
    with_names,
)
from adapters.slack.surface import SlackSurface
from adapters.slack.workspace import Workspace
from core.catalogue.sentences import say, sentence
from core.domain.errors import ThusfarError
from core.understanding.listening import Addressing

_log = logging.getLogger(__name__)

_LOOKED_ABOVE: Final = 20
_FILE_HOSTS: Final = frozenset({"files.slack.com"})
_NOT_GIVEN: Final = sentence("Slack didn't give me that file. Please share it again.")
_DONE_ALREADY: Final = frozenset({"already_reacted", "no_reaction"})
_NO_REACTION: Final = frozenset({"message_not_found", "thread_locked", "too_many_emoji", "too_many_reactions"})
"""Slack's error codes for a single message that can't get the reaction."""


class SlackMessageContext(SlackSurface, MessageSurface):
    """A place where a member wrote a message; outside a thread it is about the whole channel."""

    def __init__(self, workspace: Workspace, said: SlackMessage) -> None:
        super().__init__(workspace, said.spot, said.author_id, ref=said.ref, since=said.ts)
        self.channel = said.channel_id
        self.file_host = file_host(workspace.options.api_base, token=workspace.options.bot_token)
        self._said = said
        self.pastes = said.pastes
        self.only_shows = said.only_shows

    @override
    async def heard(self) -> Addressing:
        return self._said.heard(in_opened_thread=await self._stands_in_opened_thread())

    @override
    def is_closed(self) -> bool:
        return False

    @override
    async def readable(self, text: str) -> str:
        names = {user_id: (await self._workspace.people.get(user_id)).name for user_id in people_in(text)}
        return with_names(text, lambda user_id: names.get(user_id, "somebody"))

    @override
    async def whisper(self, text: str) -> bool:
        """Show it ephemerally in place, or not at all: elsewhere the member would not know which thread is meant."""
        return await self._ephemerally(parts_of(self.as_typed(text), about=self.spot))

    @override
    async def above(self) -> Words | None:
        try:
            told = await self._look(latest=self._said.ts, limit=_LOOKED_ABOVE)
        except RefusedError:
            return None
        before = [one for one in told if order_of(str(one["ts"])) < self._said.order]
        latest = max(before, key=lambda one: order_of(str(one["ts"])), default={})
        said = self._said_in({**latest, "type": "app_mention"})
        if said is None:
            return None
        author = (await self._workspace.people.get(said.author_id)).author
        return Words(text=await self.readable(said.text), author=author)

    @override
    async def read_back(self) -> str | None:
        said = self._said
        try:
            told = await self._look(oldest=said.ts, latest=said.ts, inclusive=True, limit=2)
        except GoneError:
            raise
        except RefusedError as error:
            _log.info("%s cannot be read again: %s", said.ref, error)
            return None
        message = next((one for one in told if one.get("ts") == said.ts), None)
        if message is None:
            raise GoneError("the message was deleted")
        now = self._said_in(message)
        return now.text if now is not None else None

    async def _look(self, **window: object) -> list[dict[str, Any]]:
        """Return messages of the channel or thread of the message."""
        return await self._calls.messages(self._said.channel_id, self._said.thread_ts, **window)

    def _said_in(self, message: dict[str, Any]) -> SlackMessage | None:
        me = self._workspace.me
        return said_by({**message, "channel": self._said.channel_id}, team_id=me.team_id, bot_id=me.bot_user_id)

    @override
    async def open_thread(self, title: str) -> Surface:
        opened = self.moved_to(Spot(channel=self._said.channel_id, thread_ts=self._said.ts))
        opened.is_new = True
        return opened

    @override
    async def offered(self, file: object) -> OfferedFile:
        """Request the file's data: an event may hold only part of them."""
        try:
            answer = await self._calls.ask(self._calls.client.files_info, file=file)
        except RefusedError as error:
            _log.warning("A file's data cannot be requested: %s", error)
            raise ThusfarError(say(_NOT_GIVEN)) from None
        told: dict[str, Any] = answer.get("file") or {}
        url = told.get("url_private_download") or told.get("url_private")
        if not url:
            raise ThusfarError(say(_NOT_GIVEN))
        return OfferedFile(name=str(told.get("name") or "book"), size=int(told.get("size") or 0), url=str(url))

    @override
    def may_react(self) -> bool:
        """Return True: Slack reports a missing scope only when it is used."""
        return True

    @override
    def say_no_reactions(self) -> None:
        channel, me = self._said.channel_id, self._workspace.me
        place = f"<#{channel}>"
        notice = say("I can't react in {channel}. The person who runs this bot can fix it.", channel=place)
        self._workspace.notices.add(notice, of=me.team_id)
        _log.warning(
            "No reactions in channel %s: the scope reactions:write or the channel is missing; `thusfar doctor` looks.",
            channel,
        )

    @override
    async def react(self, emoji: str) -> None:
        await self._react(self._calls.client.reactions_add, emoji)

    @override
    async def unreact(self, emoji: str) -> None:
        await self._react(self._calls.client.reactions_remove, emoji)

    async def _react(self, method: Method, emoji: str) -> None:
        where = {"channel": self._said.channel_id, "timestamp": self._said.ts}
        try:
            await self._calls.ask(method, name=emoji.strip(":"), **where)
        except RefusedError as error:
            if error.code in _NO_REACTION:
                raise GoneError(str(error)) from error
            if error.code == "invalid_name":
                _log.warning("Slack knows no emoji :%s:.", emoji)
            elif error.code not in _DONE_ALREADY:
                raise NoRightError(str(error)) from error

    async def _stands_in_opened_thread(self) -> bool:
        """Whether the bot opened the thread: it starts with a message of the bot or a mention of it."""
        said = self._said
        if said.thread_ts is None or said.is_direct:
            return False
        if said.parent_is_bot:
            return True
        place = place_of(said.team_id, said.channel_id, None)
        inbox = self._workspace.services.inbox
        return await inbox.knows(platform=PLATFORM, place=place, message_id=said.thread_ts)


def file_host(api_base: str | None, *, token: str) -> FileHost:
    """Return the hosts of Slack's files; without the token Slack returns a login page."""
    return FileHost(
        hosts=_FILE_HOSTS,
        own=api_base,
        refused=sentence("I only take files from Slack itself. Please share it here."),
        not_given=_NOT_GIVEN,
        headers={"Authorization": f"Bearer {token}"},
        html_is_refusal=True,
    )
