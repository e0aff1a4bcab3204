"""Slack's channels, threads and DMs as surfaces for messages, commands, buttons and forms.

Private texts are ephemeral messages in place, or DMs where Slack would not show those: in a thread they appear only if
it is active for the member (https://docs.slack.dev/reference/methods/chat.postEphemeral).
"""

import copy
import logging
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Self

from typing_extensions import override

from adapters.platform.surface import (
    OutOfReachError,
    Person,
    Picture,
    Post,
    ProgressReport,
    RefusedError,
    Surface,
)
from adapters.platform.typing_indicator import Stop
from adapters.platform.uploads import EditedMessage
from adapters.slack.files import SCOPE, SharedFile, share, upload
from adapters.slack.hiding import hide_beyond
from adapters.slack.listening import is_direct, ref_of, scope_of, thread_of
from adapters.slack.people import PLATFORM
from adapters.slack.plan import StreamedPlan
from adapters.slack.render import (
    OWN_LINK,
    MessagePart,
    Spot,
    as_typed,
    body_of,
    escaped,
    parts_of,
    under_answer,
    unlinked_body,
)
from adapters.slack.status import Doing
from adapters.slack.workspace import Workspace
from core.answering.given_answers import PostableAnswer
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice, HandedFile
from core.club.questions.shown_commands import revealing
from core.domain.chat_event import ChatEvent
from core.domain.conversation import Author
from core.domain.errors import ThusfarError

_log = logging.getLogger(__name__)

PLAN_AFTER_S: Final = 2.0
"""The steps of an answer that takes longer are shown as a plan."""
_OK: Final = 200
_HIDDEN: Final = sentence("My answers here from later pages are put away now, each behind its button.")
_IN_DIRECT: Final = sentence("I've sent them to you in a direct message.")
_GROUP_BY_ID: Final = sentence(
    "In Slack, name the user group by its id, such as S0123ABCD. It's at the end of the group's address."
)
_USER_GROUP: Final = re.compile(r"(?:<!subteam\^)?(S[A-Z0-9]{6,})(?:\|[^>]*)?>?")
_MOST_PARTS: Final = 4
"""A response address can be used five times."""
_MOST_IN_EDIT: Final = 3_900
"""`chat.update` allows less than `chat.postMessage`."""


class SlackSurface(Surface):
    """A place where a member used something.

    Args:
        workspace: the bot's identity and what the adapter's parts share.
        spot: the channel or thread that this is about.
        user_id: the member.
        ref: permanent id of what was used.
        response_url: Slack's response address, if it gave one.
        is_active: whether an ephemeral message would be seen there.
        since: the `ts` of the member's message, or of the message whose button was pressed.
    """

    def __init__(
        self,
        workspace: Workspace,
        spot: Spot,
        user_id: str,
        *,
        ref: str,
        response_url: str | None = None,
        is_active: bool = True,
        since: str | None = None,
    ) -> None:
        self.ref = ref
        self.member_id = f"{PLATFORM}:{user_id}"
        self.seal = workspace.services.seal
        self.is_allowed = workspace.is_allowed(spot.channel)
        self._workspace = workspace
        self._calls = workspace.calls
        self._user_id = user_id
        self._response_url = response_url
        self._is_active = is_active
        self.is_new = False
        self._since = since
        self._doing = Doing()
        self._plan: StreamedPlan | None = None
        self._stand_at(spot)

    @override
    def escape(self, text: str) -> str:
        return escaped(text)

    @override
    async def role_of(self, text: str) -> str | None:
        """Return a user group by its id: without another scope a bot can't look up its name."""
        found = _USER_GROUP.fullmatch(text)
        if found is None:
            raise ThusfarError(say(_GROUP_BY_ID))
        return found[1]

    @override
    def links_to(self, threads: Sequence[str]) -> str:
        """Return links: Slack's threads have no names."""
        channel = self.spot.channel
        links = [
            f"[{number}]{OWN_LINK}({self._workspace.link_to(channel, ts)})"
            for number, ts in enumerate(threads, start=1)
        ]
        return f" ({', '.join(links)})" if links else ""

    @override
    def shows_pictures(self, *, to_all: bool) -> bool:
        scopes = self._workspace.me.scopes
        return (to_all or self._is_direct) and (SCOPE in scopes or not scopes)

    @override
    async def author(self) -> Author:
        return (await self._workspace.people.get(self._user_id)).author

    @override
    async def person(self) -> Person:
        organises = self._is_direct or await self._workspace.people.is_organiser(self._user_id)
        return Person(author=await self.author(), is_organiser=organises, everywhere=organises)

    @override
    async def post(self, post: Post) -> str:
        plan, ts = self._plan, None if self._plan is None else await self._plan.taken()
        first = ""
        try:
            first, *_ = await self._workspace.posting.post(
                self.spot,
                self.as_typed(post.text),
                ref=post.ref,
                footer=post.footer,
                choices=await self.sealed(post.choices or under_answer(post)),
                turn_id=post.turn_id,
                again=post.again,
                since=self._since,
                plan=plan if ts is not None else None,
            )
        finally:
            if plan is not None and ts != first:
                await plan.remove(ts)
        if not post.again:
            await self._share(post.picture)
        return ref_of(self._workspace.me.team_id, self.spot.channel, first)

    @override
    async def post_hidden(self, answer: PostableAnswer, *, turn_id: int, asker: Author, ref: str) -> None:
        """Post a button that opens the answer: Slack has no spoiler marks, and the question alone may be a spoiler."""
        line = say("**{name} shares an answer.**", name=escaped(asker.display_name))
        await self.post(
            Post(text=f"{line} {answer.warning}", ref=ref, choices=[revealing(turn_id, asker.member_id)], again=True)
        )

    @override
    async def tell(self, text: str, choices: Sequence[Choice] = (), *, picture: Picture | None = None) -> bool:
        parts = parts_of(self.as_typed(text), about=self.spot, choices=await self.sealed(choices, alone=True))
        for way in (self._respond, self._ephemerally, self._directly):
            try:
                if await way(parts):
                    await self._share(picture)
                    return True
            except (OutOfReachError, RefusedError) as error:
                _log.info("%s was not answered by %s: %s", self.ref, way.__name__, error)
        _log.warning("%s could not be answered.", self.ref)
        return False

    @override
    async def hand_over(self, text: str, files: Sequence[HandedFile], choices: Sequence[Choice] = ()) -> None:
        channel = await self._direct_channel()
        shared = [SharedFile(name=file.name, data=file.data) for file in files]
        await upload(self._calls, Spot(channel=channel), shared)
        shown = await self.sealed(choices, alone=True)
        await self._directly(parts_of(self.as_typed(text), about=self.spot, choices=shown))
        if not self._is_direct:
            await self.tell(say(_IN_DIRECT))

    @override
    async def report(self, text: str) -> ProgressReport | None:
        """Start a message in the member's DM."""
        try:
            channel = await self._direct_channel()
            ts, *_ = await self._workspace.posting.post(Spot(channel=channel), text, ref=f"{self.ref}:progress")
        except (OutOfReachError, RefusedError) as error:
            _log.info("The progress of %s cannot be shown: %s", self.ref, error)
            return None

        def split(told: str) -> list[str]:
            return [part.text for part in parts_of(self.as_typed(told), about=self.spot, limit=_MOST_IN_EDIT)]

        async def put(piece: str, choices: Sequence[Choice]) -> None:
            (part,) = parts_of(piece, about=self.spot, choices=choices)
            await self._calls.ask(self._calls.client.chat_update, channel=channel, ts=ts, **unlinked_body(part))

        return EditedMessage(self, split, put)

    @override
    async def begin_thread(self, title: str, line: str, *, again: bool) -> Surface:
        channel = self.moved_to(Spot(channel=self.spot.channel))
        ref = await channel.post(Post(text=line, ref=self.ref, again=again))
        return self.moved_to(Spot(channel=self.spot.channel, thread_ts=ref.rpartition(":")[2]))

    @override
    async def in_thread(self, thread: str) -> Surface:
        return self.moved_to(Spot(channel=self.spot.channel, thread_ts=thread or None))

    @override
    async def hide_answers(self, footers: frozenset[str]) -> str:
        return say(_HIDDEN) if await hide_beyond(self._workspace, self.spot, footers, sealed=self.sealed) else ""

    @override
    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Stop]:
        """Show a status line, and once the answer takes long, a plan of its steps."""
        workspace, doing = self._workspace, self._doing
        self._plan = plan = StreamedPlan(
            self._calls,
            self.spot,
            steps=doing.steps,
            reader={"recipient_team_id": workspace.me.team_id, "recipient_user_id": self._user_id},
        )
        async with plan.after(PLAN_AFTER_S), workspace.status.shown(self.spot, doing, plan) as stop:
            yield stop

    @override
    def follow(self, event: ChatEvent) -> None:
        self._doing.follow(event)

    def moved_to(self, spot: Spot) -> Self:
        """Return the same surface, for the same member, at another place."""
        moved = copy.copy(self)
        moved._stand_at(spot)  # noqa: SLF001 (an object of the same class)
        return moved

    def _stand_at(self, spot: Spot) -> None:
        me, self.spot, self._is_direct = self._workspace.me, spot, is_direct(spot.channel)
        self.club = None if self._is_direct else me.team_id
        self.thread = thread_of(me.team_id, spot.channel, spot.thread_ts, user_id=self._user_id, direct=self._is_direct)

    @override
    async def scopes(self) -> Sequence[str]:
        return [scope_of(self._workspace.me.team_id)]

    def as_typed(self, text: str) -> str:
        """Return a text with its commands as they are typed here."""
        return as_typed(text, self._workspace.me.name, in_thread=self.spot.thread_ts is not None)

    async def _share(self, picture: Picture | None) -> None:
        """Share a picture, if there is one, below the latest message."""
        if picture is not None:
            await share(self._calls, self.spot, picture)

    async def _respond(self, parts: list[MessagePart]) -> bool:
        """Answer at the response address of a slash command, which works even where the bot is no member."""
        if self._response_url is None or len(parts) > _MOST_PARTS:
            return False
        for part in parts:
            body = {name: value for name, value in body_of(part).items() if name in ("text", "blocks")}
            ephemeral = {"response_type": "ephemeral", "replace_original": False}
            await self._calls.post(self._response_url, json=ephemeral | body)
        return True

    async def _ephemerally(self, parts: list[MessagePart]) -> bool:
        if self._is_direct or not self._is_active or not self.spot.channel:
            return False
        where: dict[str, Any] = {"channel": self.spot.channel, "user": self._user_id}
        if self.spot.thread_ts is not None and not self.is_new:  # in a thread without replies nobody would see it
            where["thread_ts"] = self.spot.thread_ts
        for part in parts:
            await self._calls.ask(self._calls.client.chat_postEphemeral, **where, **unlinked_body(part))
        return True

    async def _directly(self, parts: list[MessagePart]) -> bool:
        thread_ts = self.spot.thread_ts if self._is_direct else None
        to = Spot(channel=await self._direct_channel(), thread_ts=thread_ts)
        for number, part in enumerate(parts):
            ref = f"{self.ref}:private:{number}"
            await self._workspace.posting.post(to, part.text, ref=ref, about=self.spot, choices=part.choices)
        return True

    async def _direct_channel(self) -> str:
        if self._is_direct:
            return self.spot.channel
        opened = await self._calls.ask(self._calls.client.conversations_open, users=self._user_id)
        return str(opened["channel"]["id"])


def used_in(workspace: Workspace, body: dict[str, Any], spot: Spot | None = None) -> SlackSurface:
    """Return the surface of what was used, from Slack's payload."""
    user_id = str(body.get("user_id") or (body.get("user") or {}).get("id"))
    channel = body.get("channel_id") or (body.get("channel") or {}).get("id")
    return SlackSurface(
        workspace,
        spot or Spot(channel=str(channel or "")),
        user_id,
        ref=f"used:{body.get('trigger_id')}",
        response_url=body.get("response_url"),
    )
