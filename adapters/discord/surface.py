"""Discord's channels and threads as surfaces: posting, and opening threads."""

import copy
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, Self

import discord
from typing_extensions import override

from adapters.discord.bot import Bot
from adapters.discord.calls import ask
from adapters.discord.files import may_attach, sent
from adapters.discord.hiding import hide_beyond
from adapters.discord.listening import (
    PLATFORM,
    Talk,
    guild_id_of,
    is_allowed,
    is_organiser,
    offered_as,
    own_rights_in,
    ref_of,
    rights_in,
    scope_of,
    thread_name,
    thread_of,
)
from adapters.discord.render import NOBODY, OWN_LINK, contained, nonce, rendered, sendable, view_of, with_hidden
from adapters.platform.buttons import answer_choices, shown_text
from adapters.platform.placeholder import Placeholder
from adapters.platform.surface import (
    GoneError,
    NoRightError,
    OutOfReachError,
    Person,
    Picture,
    Post,
    ProgressReport,
    RefusedError,
    Surface,
)
from adapters.platform.typing_indicator import Stop, shown_while
from adapters.platform.uploads import EditedMessage
from core.answering.given_answers import PostableAnswer
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice
from core.club.hearing.talk_commands import STOP
from core.domain.conversation import Author
from core.domain.errors import ThusfarError

_log = logging.getLogger(__name__)

_CANNOT_REPLY: Final = 160_002
_HAS_A_THREAD: Final = 160_004
_TYPING_AGAIN_S: Final = 8.0
LINE_AFTER_S: Final = 8.0
"""An answer that takes longer is announced by a line."""
_LINE: Final = -1
"""The number of the line among the parts of an answer, which begin at 0."""
_STILL_LOOKING: Final = sentence("I'm still looking. My answer will be here.")
_HIDDEN: Final = sentence("My answers here from later pages are behind spoiler marks now.")
_MAY_NOT_OPEN: Final = sentence("I can't open a thread here. Mention me with your question instead.")
_ROLE: Final = re.compile(r"<@&(\d+)>")
_MAY_NOT_CALL: Final = sentence("I can't mention that role. Please let anyone @mention it in the server's settings.")
_TO_OPEN: Final = sentence("Create Public Threads, Send Messages in Threads or Read Message History")


class DiscordSurface(Surface):
    """A channel, a thread or a DM; `channel` is where the bot posts."""

    def __init__(self, bot: Bot, channel: Talk, *, user_id: int, ref: str) -> None:
        self.ref = ref
        self.bot = bot
        self.seal = bot.seal
        self.member_id = f"{PLATFORM}:{user_id}"
        self.place = channel
        self.user_id = user_id
        self.thread = thread_of(channel, user_id)
        self.is_allowed = is_allowed(channel, bot.options)
        self.club = guild_id_of(channel)
        self._line: Placeholder[discord.PartialMessage] | None = None

    @override
    def escape(self, text: str) -> str:
        return discord.utils.escape_markdown(text)

    @override
    def quoted(self, text: str) -> str:
        return with_hidden(text)

    @override
    async def scopes(self) -> Sequence[str]:
        return [scope_of(guild.id, self.user_id) for guild in await self.bot.guilds_of(self.user_id)]

    @override
    async def role_of(self, text: str) -> str | None:
        guild = self.place.guild
        found = _ROLE.fullmatch(text)
        roles = [] if guild is None else [one for one in guild.roles if not one.is_default()]
        named = text.removeprefix("@").casefold()
        role = next(
            (one for one in roles if (str(one.id) == found[1] if found else one.name.casefold() == named)), None
        )
        if role is None or guild is None:
            return None
        if not role.mentionable and not guild.me.guild_permissions.mention_everyone:
            raise ThusfarError(say(_MAY_NOT_CALL))
        return str(role.id)

    @override
    def links_to(self, threads: Sequence[str]) -> str:
        return "".join(f" {OWN_LINK}#{thread_id}>" for thread_id in threads)

    @override
    def shows_pictures(self, *, to_all: bool) -> bool:
        return not to_all or may_attach(self.place)

    @override
    def leads_to(self, thread: Surface) -> str:
        link = f"{OWN_LINK}#{thread.thread.thread}>"
        return say("Here it is: {thread}", thread=link)

    @override
    async def post(self, post: Post) -> str:
        view = view_of(await self.sealed(post.choices or answer_choices(post)))
        parts = rendered(post.text, post.footer)
        standing = await self._already_posted() if post.again else {}
        line = None if self._line is None else await self._line.taken()
        if line is None and (left := standing.get(say(_STILL_LOOKING))) is not None:
            line = self.place.get_partial_message(left)
        first: int | None = None
        for part, arguments, is_last in sendable(parts, ref=post.ref, view=view):
            more = self._reference() if first is None else {}
            picture = post.picture if is_last else None
            message_id = standing.get(part)
            if message_id is None and line is not None and first is None:
                message_id = await self._became(line, part, arguments.get("view"))
            message_id = message_id or await self._send(part, arguments | more, picture)
            first = first or message_id
        return ref_of(self.place.id, first or 0)

    @override
    async def post_hidden(self, answer: PostableAnswer, *, turn_id: int, asker: Author, ref: str) -> None:
        text = shown_text(answer.question, answer.text, asker.display_name, self)
        for number, layout in enumerate(contained(answer, text)):
            send = partial(self.place.send, view=layout, nonce=nonce(ref, number), allowed_mentions=NOBODY)
            await ask(send, self.bot.retry)

    @override
    async def begin_thread(self, title: str, line: str, *, again: bool) -> Surface:
        channel = self.place
        if not isinstance(channel, discord.TextChannel) or not _may_open(channel):
            raise RefusedError("threads can't be opened here", sentence=_MAY_NOT_OPEN)
        ref = await self.post(Post(text=line, ref=self.ref, again=again))
        starter = channel.get_partial_message(int(ref.rpartition(":")[2]))
        try:
            thread = await self._thread_at(starter, title)
        except (OutOfReachError, RefusedError):
            await self._delete_line(starter)
            raise
        if thread is None:
            await self._delete_line(starter)
            raise RefusedError("the thread was not opened", sentence=_MAY_NOT_OPEN)
        return self.moved_to(thread)

    @override
    async def in_thread(self, thread: str) -> Surface:
        return self.moved_to(await self.bot.channel(int(thread or self.thread.place)))

    @override
    async def hide_answers(self, footers: frozenset[str]) -> str:
        return say(_HIDDEN) if await hide_beyond(self.bot, self.place, footers) else ""

    @override
    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Stop]:
        """Show the typing indicator, and a line with a button to stop once the answer takes long."""

        async def show() -> None:
            if self.bot.ornament_rate.take():
                await self.place.typing()

        async def post() -> discord.PartialMessage:
            view = view_of(await self.sealed([Choice(label=say("Stop"), command=STOP)]))
            options = {"nonce": nonce(self.ref, _LINE), "view": view, "suppress_embeds": True, **self._reference()}
            return self.place.get_partial_message(await self._send(say(_STILL_LOOKING), options, None))

        self._line = Placeholder(post, lambda line: ask(line.delete, self.bot.retry))
        async with self._line.after(LINE_AFTER_S), shown_while(show, every=_TYPING_AGAIN_S) as stop:
            yield stop

    def moved_to(self, channel: Talk) -> Self:
        """Return the same surface, for the same member, at another channel."""
        moved = copy.copy(self)
        moved.place = channel
        moved.thread = thread_of(channel, self.user_id)
        return moved

    @property
    def _about_here(self) -> int | None:
        """The channel that buttons in a DM are about; None if the buttons are in that channel."""
        return None if guild_id_of(self.place) is None else self.place.id

    async def _send_dm(
        self, text: str, choices: Sequence[Choice] = (), picture: Picture | None = None
    ) -> discord.Message | None:
        """Send a DM; return its last message, or None if the member accepts none."""
        view = view_of(await self.sealed(choices, alone=True), about=self._about_here)
        last: discord.Message | None = None
        try:
            direct = await self._dm_channel()
            for part, arguments, is_last in sendable(rendered(text), ref=f"{self.ref}:{text}", view=view):
                last = await sent(partial(direct.send, part, **arguments), picture if is_last else None, self.bot.retry)
        except (OutOfReachError, RefusedError) as error:
            _log.info("%s could not be answered by DM: %s", self.ref, error)
            return None
        return last

    async def _dm_channel(self) -> discord.abc.Messageable:
        """Return the member's DM channel, which may be this one."""
        if self._about_here is None:
            return self.place
        return await ask(lambda: self.bot.client.create_dm(discord.Object(self.user_id)), self.bot.retry)

    def _person(
        self, author: Author, member: discord.Member | None, rights: discord.Permissions | None = None
    ) -> Person:
        """Return a member's permissions here; alone with the bot they have all."""
        options = self.bot.options
        if member is None:
            is_own = guild_id_of(self.place) is None
            alone = partial(offered_as, options=options, rights=None)
            return Person(author=author, is_organiser=is_own, everywhere=is_own, typed_as=alone)
        here = rights or rights_in(self.place, member) or member.guild_permissions
        return Person(
            author=author,
            is_organiser=is_organiser(member, options, rights=here),
            everywhere=is_organiser(member, options, rights=member.guild_permissions),
            typed_as=partial(offered_as, options=options, rights=here),
        )

    def _edited(self, edit: Callable[..., Awaitable[object]], *, about: int | None = None) -> ProgressReport:
        """Return a private message that `edit` changes; its buttons may be about another channel."""

        async def put(piece: str, choices: Sequence[Choice]) -> None:
            view = view_of(choices, about=about)
            await ask(partial(edit, content=piece, view=view, allowed_mentions=NOBODY), self.bot.retry)

        return EditedMessage(self, rendered, put)

    def _reference(self) -> dict[str, Any]:
        """Return the options that make a post a reply; empty if there is no message to reply to."""
        return {}

    async def _already_posted(self) -> dict[str, int]:
        """Return the texts that the bot has already posted, with the ids of their messages."""
        return {}

    async def _became(self, line: discord.PartialMessage, part: str, view: discord.ui.View | None) -> int | None:
        """Put the first part of an answer in place of the line; return None if the line is gone."""
        try:
            edit = partial(line.edit, content=part, view=view, allowed_mentions=NOBODY)
            return (await ask(edit, self.bot.retry)).id
        except RefusedError:
            return None

    async def _send(self, part: str, arguments: dict[str, Any], picture: Picture | None) -> int:
        try:
            return (await sent(partial(self.place.send, part, **arguments), picture, self.bot.retry)).id
        except RefusedError as error:
            if error.code != _CANNOT_REPLY:
                raise
        bare = {name: value for name, value in arguments.items() if name not in ("reference", "allowed_mentions")}
        return (await ask(partial(self.place.send, part, **bare), self.bot.retry)).id

    async def _thread_at(self, message: discord.PartialMessage, title: str) -> discord.Thread | None:
        """Return the thread at a message, opened if needed; None if that is impossible, which is reported once.

        Raises:
            GoneError: the message was deleted.
        """
        channel = message.channel
        if not isinstance(channel, discord.TextChannel):
            return None
        if not _may_open(channel):
            self._say_no_threads(channel)
            return None
        try:
            name = thread_name(title, taken={thread.name for thread in channel.threads})
            return await ask(lambda: message.create_thread(name=name), self.bot.retry)
        except GoneError:
            raise
        except NoRightError:
            self._say_no_threads(channel)
        except RefusedError as error:
            if error.code == _HAS_A_THREAD:
                found = await self.bot.channel(message.id)
                return found if isinstance(found, discord.Thread) else None
            _log.warning(
                "The thread at message %s could not be opened, so the answer is in the channel: %s", message.id, error
            )
        return None

    async def _delete_line(self, starter: discord.PartialMessage) -> None:
        """Delete the line that a thread should have started with."""
        try:
            await ask(starter.delete, self.bot.retry)
        except (OutOfReachError, RefusedError) as error:
            _log.info("The line %s could not be deleted: %s", starter.id, error)

    def _say_no_threads(self, channel: discord.TextChannel) -> None:
        link = f"{OWN_LINK}#{channel.id}>"
        self.bot.lacks(
            "threads",
            channel,
            say("I can't open threads in {channel}. I need {rights}.", channel=link, rights=say(_TO_OPEN)),
            f"No threads in channel {channel.id}, so answers stand in it: {_TO_OPEN} is missing.",
        )


def _may_open(channel: discord.TextChannel) -> bool:
    rights = own_rights_in(channel)
    if rights is None:  # unknown: Discord will refuse if they are missing
        return True
    may_write = rights.send_messages and rights.send_messages_in_threads
    return rights.create_public_threads and may_write and rights.read_message_history
