"""Discord's channels and threads as places where something is said: posts, threads, reactions, and rights that lack."""

import copy
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Self

import discord
from typing_extensions import override

from adapters.discord.calls import ask, in_short
from adapters.discord.listening import MemberMessage, said_by
from adapters.discord.options import DiscordOptions
from adapters.discord.render import NOBODY, ONLY_THE_ASKER, contained, nonce, rendered, view_of, with_hidden
from adapters.discord.translate import Talk, is_allowed, is_organiser, ref_of, thread_name, thread_of
from adapters.platform.buttons import LASTING, answer_choices, shown_text
from adapters.platform.fetching import FileHost
from adapters.platform.organiser_notices import OrganiserNotices
from adapters.platform.retry import RetryPolicy
from adapters.platform.surface import (
    GoneError,
    MessageSurface,
    NoRightError,
    OfferedFile,
    OutOfReachError,
    Person,
    Post,
    RefusedError,
    Report,
    Surface,
)
from adapters.platform.typing_indicator import Stop, shown_while
from core.app.answers import PostableAnswer
from core.app.commands.values import Choice
from core.app.listening import Heard
from core.domain.conversation import Author
from core.domain.errors import ThusfarError

_log = logging.getLogger(__name__)

_CANNOT_REPLY: Final = 160_002
_HAS_A_THREAD: Final = 160_004
_LOOKED_BACK: Final = 50
_TYPING_AGAIN_S: Final = 8.0
_FILE_HOSTS: Final = frozenset({"cdn.discordapp.com", "media.discordapp.net"})
_NOT_GIVEN: Final = "Discord did not give me that file; please attach it again."
_MAY_NOT_OPEN: Final = "I may not open a thread here; mention me with your question instead."
_NO_DIRECT: Final = "I can't write to you directly: please allow messages from this server, or use the slash command."
_TO_OPEN: Final = "Create Public Threads, Send Messages in Threads or Read Message History"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """What all places share: the client, how it behaves, and what its organisers should know.

    `gone` are the servers, channels and threads that are no more, `told` what the log was told of once.
    """

    client: discord.Client
    options: DiscordOptions
    retry: RetryPolicy
    notices: OrganiserNotices = field(default_factory=OrganiserNotices)
    gone: set[int] = field(default_factory=set)
    told: set[tuple[str, int]] = field(default_factory=set)

    @property
    def own_id(self) -> int:
        """The bot's user id; 0 before it has logged in."""
        return self.client.user.id if self.client.user else 0

    async def channel(self, channel_id: int) -> Talk:
        """Return a channel, asked for where it is not known, as a thread that was archived is not.

        Raises:
            GoneError: it is gone, is not to be seen any more, or nobody talks there.
        """
        known: object = self.client.get_channel(channel_id)
        if known is None:
            try:
                known = await ask(lambda: self.client.fetch_channel(channel_id), self.retry)
            except RefusedError as error:
                raise GoneError(str(error)) from error
        if not isinstance(known, Talk):
            raise GoneError(f"channel {channel_id} is nowhere to talk")
        return known

    async def member(self, channel: Talk, user_id: int) -> discord.Member | None:
        """Return a member of a channel's server as Discord knows them now; None in a DM, or where they are none."""
        guild = channel.guild
        if guild is None:
            return None
        try:
            return await ask(lambda: guild.fetch_member(user_id), self.retry)
        except RefusedError:
            return None

    def lacks(self, what: str, channel: Talk, notice: str, log: str) -> None:
        """Tell the organisers and the log, once for a channel, what the bot may not do there."""
        if (what, channel.id) in self.told:
            return
        self.told.add((what, channel.id))
        if channel.guild is not None:
            self.notices.add(notice, of=channel.guild.id)
        _log.warning("%s", log)


class DiscordSurface(Surface):
    """A channel, a thread or a DM; `channel` is where it is posted."""

    def __init__(self, bot: Bot, channel: Talk, *, user_id: int, ref: str) -> None:
        self.ref = ref
        self.bot = bot
        self.place = channel
        self.user_id = user_id
        self.thread = thread_of(channel, user_id)
        self.is_allowed = is_allowed(channel, bot.options)
        self.club = channel.guild.id if channel.guild is not None else None
        self.lasting = LASTING

    @override
    def escape(self, text: str) -> str:
        return discord.utils.escape_markdown(text)

    @override
    def quoted(self, text: str) -> str:
        return with_hidden(text)

    @override
    def links_to(self, threads: Sequence[str]) -> str:
        return "".join(f" <#{thread_id}>" for thread_id in threads)

    @override
    def leads_to(self, thread: Surface) -> str:
        return f"Here it is: <#{thread.thread.thread}>"

    @override
    async def post(self, post: Post) -> str:
        view = view_of(post.choices or answer_choices(post.turn_id, has_more=post.has_more))
        parts = rendered(post.text, post.footer)
        standing = await self._standing() if post.again else {}
        first: int | None = None
        for number, part in enumerate(parts):
            arguments: dict[str, Any] = {"nonce": nonce(post.ref, number), "suppress_embeds": True}
            if number == 0:
                arguments |= self._reference()
            if number == len(parts) - 1 and view is not None:
                arguments["view"] = view
            message_id = standing.get(part) or await self._send(part, arguments)
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
            raise RefusedError("no thread can be opened here", sentence=_MAY_NOT_OPEN)
        ref = await self.post(Post(text=line, ref=self.ref, again=again))
        starter = channel.get_partial_message(int(ref.rpartition(":")[2]))
        try:
            thread = await self._thread_at(starter, title)
        except (OutOfReachError, RefusedError):
            await self._take_back(starter)
            raise
        if thread is None:
            await self._take_back(starter)
            raise RefusedError("no thread was opened", sentence=_MAY_NOT_OPEN)
        return self.moved_to(thread)

    @override
    def writing(self) -> AbstractAsyncContextManager[Stop]:
        async def show() -> None:
            await self.place.typing()

        return shown_while(show, every=_TYPING_AGAIN_S)

    def moved_to(self, channel: Talk) -> Self:
        """Return the same, said or used by the same member, at another place."""
        moved = copy.copy(self)
        moved.place = channel
        moved.thread = thread_of(channel, self.user_id)
        return moved

    def _reference(self) -> dict[str, Any]:
        """Return what makes a post a reply; nothing where there is no message to reply to."""
        return {}

    async def _standing(self) -> dict[str, int]:
        """Return what the bot has posted already, with the ids of its messages."""
        return {}

    async def _send(self, part: str, arguments: dict[str, Any]) -> int:
        try:
            return (await ask(partial(self.place.send, part, **arguments), self.bot.retry)).id
        except RefusedError as error:
            if error.code != _CANNOT_REPLY:
                raise
        bare = {name: value for name, value in arguments.items() if name not in ("reference", "allowed_mentions")}
        return (await ask(partial(self.place.send, part, **bare), self.bot.retry)).id

    async def _thread_at(self, message: discord.PartialMessage, title: str) -> discord.Thread | None:
        """Return the thread at a message, opened or found there; None where it cannot be, which is said once.

        Raises:
            GoneError: the message is gone.
        """
        channel = message.channel
        if not isinstance(channel, discord.TextChannel):
            return None
        if not _may_open(channel):
            self._say_no_threads(channel)
            return None
        try:
            return await ask(lambda: message.create_thread(name=thread_name(title)), self.bot.retry)
        except GoneError:
            raise
        except NoRightError:
            self._say_no_threads(channel)
        except RefusedError as error:
            if error.code == _HAS_A_THREAD:
                found = await self.bot.channel(message.id)
                return found if isinstance(found, discord.Thread) else None
            _log.warning("No thread at message %s, so the answer stands in the channel: %s", message.id, error)
        return None

    async def _take_back(self, starter: discord.PartialMessage) -> None:
        """Take the line away that a thread should have begun with."""
        try:
            await ask(starter.delete, self.bot.retry)
        except (OutOfReachError, RefusedError) as error:
            _log.info("The line %s stays without a thread: %s", starter.id, error)

    def _say_no_threads(self, channel: discord.TextChannel) -> None:
        self.bot.lacks(
            "threads",
            channel,
            f"I can't open threads in <#{channel.id}>; I need {_TO_OPEN}.",
            f"No threads in channel {channel.id}, so answers stand in it: {_TO_OPEN} is missing.",
        )


class SaidSurface(DiscordSurface, MessageSurface):
    """Where a member said something. What is for them alone goes to them directly: nothing else hides a message."""

    def __init__(self, bot: Bot, channel: Talk, said: MemberMessage) -> None:
        super().__init__(bot, channel, user_id=said.author_id, ref=said.ref)
        self.channel = channel.id
        self.file_host = file_host(bot.options.api_base)
        self._said = said
        self._channel = channel
        self._message = channel.get_partial_message(said.message_id)

    @override
    async def author(self) -> Author:
        return self._said.author

    @override
    async def person(self) -> Person:
        member, options = await self.bot.member(self.place, self.user_id), self.bot.options
        if member is None:
            is_own = self.place.guild is None
            return Person(author=self._said.author, is_organiser=is_own, everywhere=is_own)
        here = is_organiser(member, options, rights=self.place.permissions_for(member))
        everywhere = is_organiser(member, options, rights=member.guild_permissions)
        return Person(author=self._said.author, is_organiser=here, everywhere=everywhere)

    @override
    async def heard(self) -> Heard:
        return self._said.heard_in(self.place, self.bot.own_id)

    @override
    def is_closed(self) -> bool:
        channel = self.place
        if not self.bot.gone.isdisjoint({self._said.guild_id, channel.id, getattr(channel, "parent_id", None)}):
            return True
        if isinstance(channel, discord.Thread) and channel.locked:
            if ("locked", channel.id) not in self.bot.told:
                self.bot.told.add(("locked", channel.id))
                _log.warning("Thread %s is locked: no answers there.", channel.id)
            return True
        return False

    @override
    async def readable(self, text: str) -> str:
        return text

    @override
    async def read_back(self) -> str | None:
        """Return what the message says by now; without the right to look it is answered as it was stored."""
        try:
            message = await ask(self._message.fetch, self.bot.retry)
        except NoRightError:
            return None
        now = said_by(message, bot_id=self.bot.own_id, options=self.bot.options)
        return now.text if now is not None else None

    @override
    async def open_thread(self, title: Callable[[], Awaitable[str]] | None) -> Surface:
        thread = await self._thread_at(self._message, await title()) if title is not None else None
        return self if thread is None else self.moved_to(thread)

    @override
    async def post(self, post: Post) -> str:
        try:
            return await super().post(post)
        except NoRightError:
            channel_id = self.place.id
            self.bot.lacks(
                "writing",
                self.place,
                f"I can't write in <#{channel_id}>; I need Send Messages and Send Messages in Threads.",
                f"No answers in channel {channel_id}: Send Messages or Send Messages in Threads is missing.",
            )
            raise

    @override
    async def tell(self, text: str, choices: Sequence[Choice] = ()) -> bool:
        if await self._direct(text, choices) is not None:
            return True
        await self.refuse(RefusedError("direct messages are closed"), _NO_DIRECT)
        return False

    @override
    async def refuse(self, error: Exception, sentence: str) -> None:
        """Say it under the message: what a refusal says is no secret."""
        try:
            await self.post(Post(text=sentence, ref=self.ref))
        except (OutOfReachError, RefusedError) as lost:
            _log.warning("%s could not be refused: %s", self.ref, lost)

    @override
    async def report(self, text: str) -> Report | None:
        sent = await self._direct(text)
        if sent is None:
            return None
        return EditedMessage(sent.edit, self.bot.retry, more=self._direct, about=self._about)

    @override
    async def offered(self, file: object) -> OfferedFile:
        match file:
            case [str(name), int(size), str(url)]:
                return OfferedFile(name=name, size=size, url=url)
            case _:
                raise ThusfarError(_NOT_GIVEN)

    @override
    def may_react(self) -> bool:
        channel, guild = self._message.channel, self._message.guild
        if guild is None or not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return True
        try:
            rights = channel.permissions_for(guild.me)
        except discord.ClientException:
            return True
        return rights.add_reactions and rights.read_message_history

    @override
    def say_no_reactions(self) -> None:
        channel_id = self._message.channel.id
        self.bot.lacks(
            "reactions",
            self._channel,
            f"I can't react in <#{channel_id}>; I need Add Reactions and Read Message History.",
            f"No reactions in channel {channel_id}: the right Add Reactions or Read Message History is missing.",
        )

    @override
    async def react(self, emoji: str) -> None:
        await self._once(partial(self._message.add_reaction, emoji))

    @override
    async def unreact(self, emoji: str) -> None:
        await self._once(partial(self._message.remove_reaction, emoji, discord.Object(self.bot.own_id)))

    @override
    def _reference(self) -> dict[str, Any]:
        if self.place.id != self._said.channel_id:
            return {}
        reference = self._message.to_reference(fail_if_not_exists=False)
        return {"reference": reference, "allowed_mentions": ONLY_THE_ASKER}

    @override
    async def _standing(self) -> dict[str, int]:
        """Return what was posted since the question: a nonce is forgotten after a few minutes, this is not."""

        async def look() -> list[discord.Message]:
            after = discord.Object(self._said.message_id)
            history = self.place.history(limit=_LOOKED_BACK, after=after, oldest_first=True)
            return [message async for message in history if message.author.id == self.bot.own_id]

        try:
            own = await ask(look, self.bot.retry)
        except NoRightError:
            return {}
        in_place = self.place.id == self._said.channel_id
        if in_place and not any(_answers(message, self._said.message_id) for message in own):
            return {}
        return {message.content: message.id for message in own}

    @property
    def _about(self) -> int | None:
        """The channel that buttons in a direct message are about; None where they stand in it."""
        return self.place.id if self.place.guild is not None else None

    async def _direct(self, text: str, choices: Sequence[Choice] = ()) -> discord.Message | None:
        """Write to the member alone; return the last message, or None where they take none."""
        parts = rendered(text)
        view = view_of(choices, about=self._about)
        sent: discord.Message | None = None
        try:
            direct: discord.abc.Messageable = self.place
            if self._about is not None:
                direct = await ask(lambda: self.bot.client.create_dm(discord.Object(self.user_id)), self.bot.retry)
            for number, part in enumerate(parts):
                arguments: dict[str, Any] = {"nonce": nonce(f"{self.ref}:{text}", number), "suppress_embeds": True}
                if view is not None and number == len(parts) - 1:
                    arguments["view"] = view
                sent = await ask(partial(direct.send, part, **arguments), self.bot.retry)
        except (OutOfReachError, RefusedError) as error:
            _log.info("%s could not be answered directly: %s", self.ref, error)
            return None
        return sent

    async def _once(self, call: Callable[[], Awaitable[object]]) -> None:
        """Make a call that is worth nothing later."""
        await ask(call, RetryPolicy(one_call=self.bot.retry.one_call, total=0))


class EditedMessage(Report):
    """A private message that is edited: through its own webhook, or in a DM; its buttons are about another channel."""

    def __init__(
        self,
        edit: Callable[..., Awaitable[object]],
        retry: RetryPolicy,
        *,
        more: Callable[[str, Sequence[Choice]], Awaitable[object]],
        about: int | None = None,
    ) -> None:
        self._edit = edit
        self._retry = retry
        self._about = about
        self._more = more

    @override
    async def edit(self, text: str, choices: Sequence[Choice] = ()) -> bool:
        first, *others = rendered(text)
        view = None if others else view_of(choices, about=self._about)
        try:
            await ask(partial(self._edit, content=first, view=view, allowed_mentions=NOBODY), self._retry)
        except (OutOfReachError, RefusedError) as error:
            _log.info("A message cannot be edited: %s", in_short(error))
            return False
        if others:
            await self._more("\n\n".join(others), choices)
        return True


def file_host(api_base: str | None) -> FileHost:
    """Return where Discord keeps what is attached."""
    return FileHost(
        hosts=_FILE_HOSTS,
        own=api_base,
        refused="I take files from Discord itself alone; please attach it to the command.",
        not_given=_NOT_GIVEN,
    )


def _may_open(channel: discord.TextChannel) -> bool:
    rights = channel.permissions_for(channel.guild.me)
    may_write = rights.send_messages and rights.send_messages_in_threads
    return rights.create_public_threads and may_write and rights.read_message_history


def _answers(message: discord.Message, asked_id: int) -> bool:
    return message.reference is not None and message.reference.message_id == asked_id
