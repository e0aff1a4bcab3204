"""A Discord message as a surface: it can be answered, get reactions, and its writer can get DMs."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final

import discord
from typing_extensions import override

from adapters.discord.bot import Bot
from adapters.discord.calls import ask
from adapters.discord.files import send_files
from adapters.discord.listening import (
    DiscordMessage,
    Talk,
    human_words,
    own_rights_in,
    parent_of,
    said_by,
)
from adapters.discord.render import NOBODY, ONLY_THE_ASKER, OWN_LINK
from adapters.discord.surface import DiscordSurface
from adapters.platform.fetching import FileHost
from adapters.platform.retry import RetryPolicy
from adapters.platform.surface import (
    MessageSurface,
    NoRightError,
    OfferedFile,
    OutOfReachError,
    Person,
    Picture,
    Post,
    ProgressReport,
    RefusedError,
    Surface,
    Words,
)
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice, HandedFile
from core.domain.conversation import Author
from core.domain.errors import ThusfarError
from core.understanding.listening import Addressing

_log = logging.getLogger(__name__)

_FILE_HOSTS: Final = frozenset({"cdn.discordapp.com", "media.discordapp.net"})
_NOT_GIVEN: Final = sentence("Discord didn't give me that file. Please attach it again.")
_NO_DIRECT: Final = sentence(
    "I can't send you direct messages. Please allow them for this server, or use the slash command."
)


class DiscordMessageContext(DiscordSurface, MessageSurface):
    """A place where a member wrote a message. Private texts are sent as DMs, since nothing else hides a message."""

    def __init__(self, bot: Bot, channel: Talk, said: DiscordMessage) -> None:
        super().__init__(bot, channel, user_id=said.author_id, ref=said.ref)
        self.channel = channel.id
        self.file_host = file_host(bot.options.api_base)
        self._said = said
        self._channel = channel
        self._message = channel.get_partial_message(said.message_id)
        self.here = f"{OWN_LINK}#{channel.id}>"
        self.hides_by = "||"
        self.pastes = said.pastes
        self.only_shows = said.only_shows

    @override
    async def author(self) -> Author:
        return self._said.author

    @override
    async def person(self) -> Person:
        return self._person(self._said.author, await self.bot.member(self.place, self.user_id))

    @override
    async def heard(self) -> Addressing:
        return self._said.heard_in(self.place, self.bot.own_id)

    @override
    def is_closed(self) -> bool:
        channel = self.place
        if not self.bot.gone.isdisjoint({self._said.guild_id, channel.id, parent_of(channel)}):
            return True
        if isinstance(channel, discord.Thread) and channel.locked:
            if ("locked", channel.id) not in self.bot.told:
                self.bot.told.add(("locked", channel.id))
                _log.warning("Thread %s is locked, so the bot can't answer there.", channel.id)
            return True
        return False

    @override
    async def readable(self, text: str) -> str:
        return text

    @override
    async def above(self) -> Words | None:
        replied_to = self._said.replied_to

        async def look() -> discord.Message | None:
            if replied_to is not None:
                return await self._channel.fetch_message(replied_to)
            return await anext(self._channel.history(limit=1, before=self._message), None)

        try:
            found = await ask(look, self.bot.retry)
        except RefusedError:
            return None
        said = None if found is None else human_words(found, bot_id=self.bot.own_id, options=self.bot.options)
        return None if said is None else Words(text=said.text, author=said.author, is_pointed_at=replied_to is not None)

    @override
    async def read_back(self) -> str | None:
        """Return the message's current text; None without the permission to read it."""
        try:
            message = await ask(self._message.fetch, self.bot.retry)
        except NoRightError:
            return None
        now = said_by(message, bot_id=self.bot.own_id, options=self.bot.options)
        return now.text if now is not None else None

    @override
    async def open_thread(self, title: str) -> Surface:
        thread = await self._thread_at(self._message, title)
        return self if thread is None else self.moved_to(thread)

    @override
    async def post(self, post: Post) -> str:
        try:
            ref = await super().post(post)
        except NoRightError:
            channel_id = self.place.id
            channel = f"{OWN_LINK}#{channel_id}>"
            self.bot.lacks(
                "writing",
                self.place,
                say("I can't write in {channel}. I need Send Messages and Send Messages in Threads.", channel=channel),
                f"No answers in channel {channel_id}: Send Messages or Send Messages in Threads is missing.",
            )
            raise
        if isinstance(self.place, discord.Thread):
            self.bot.spoken_in.add(self.place.id)
        return ref

    @override
    async def tell(self, text: str, choices: Sequence[Choice] = (), *, picture: Picture | None = None) -> bool:
        if await self._send_dm(text, choices, picture) is not None:
            return True
        await self.refuse(RefusedError("the member does not accept direct messages"), say(_NO_DIRECT))
        return False

    @override
    async def hand_over(self, text: str, files: Sequence[HandedFile], choices: Sequence[Choice] = ()) -> None:
        direct = await self._dm_channel()
        send = partial(direct.send, suppress_embeds=True)
        shown = await self.sealed(choices, alone=True)
        await send_files(send, text, files, shown, about=self._about_here, retry=self.bot.retry)

    @override
    async def whisper(self, text: str) -> bool:
        """Send a DM, or nothing: a public notice about a closed DM would reveal it."""
        return await self._send_dm(text) is not None

    @override
    async def aside(self, text: str, choices: Sequence[Choice] = ()) -> None:
        await self.post(Post(text=text, ref=self.ref, choices=choices))

    @override
    async def refuse(self, error: Exception, sentence: str) -> None:
        """Post the sentence as a reply: a refusal is no secret."""
        try:
            await self.post(Post(text=sentence, ref=self.ref))
        except (OutOfReachError, RefusedError) as lost:
            _log.warning("The refusal of %s could not be posted: %s", self.ref, lost)

    @override
    async def report(self, text: str) -> ProgressReport | None:
        begun = await self._send_dm(text)
        if begun is None:
            return None
        return self._edited(begun.edit, about=self._about_here)

    @override
    async def offered(self, file: object) -> OfferedFile:
        match file:
            case [str(name), int(size), str(url)]:
                return OfferedFile(name=name, size=size, url=url)
            case _:
                raise ThusfarError(say(_NOT_GIVEN))

    @override
    def may_react(self) -> bool:
        rights = own_rights_in(self._message.channel)
        return rights is None or (rights.add_reactions and rights.read_message_history)

    @override
    def say_no_reactions(self) -> None:
        channel_id = self._message.channel.id
        self.bot.lacks(
            "reactions",
            self._channel,
            say("I can't react in {channel}. I need Add Reactions and Read Message History.", channel=self.here),
            f"No reactions in channel {channel_id}: the right Add Reactions or Read Message History is missing.",
        )

    @override
    async def react(self, emoji: str) -> None:
        await self._without_retries(partial(self._message.add_reaction, emoji))

    @override
    async def unreact(self, emoji: str) -> None:
        await self._without_retries(partial(self._message.remove_reaction, emoji, discord.Object(self.bot.own_id)))

    @override
    def _reference(self) -> dict[str, Any]:
        if self.place.id != self._said.channel_id:
            return {}
        reference = self._message.to_reference(fail_if_not_exists=False)
        # Members who go on in a thread read it anyway.
        is_first = self.place.id not in self.bot.spoken_in
        return {"reference": reference, "allowed_mentions": ONLY_THE_ASKER if is_first else NOBODY}

    @override
    async def _already_posted(self) -> dict[str, int]:
        """Return the bot's posts since the question; Discord forgets nonces after a few minutes."""
        own = await self.bot.own_posts(self.place, after=discord.Object(self._said.message_id))
        in_place = self.place.id == self._said.channel_id
        if in_place and not any(_answers(message, self._said.message_id) for message in own):
            return {}
        return {message.content: message.id for message in own}

    async def _without_retries(self, call: Callable[[], Awaitable[object]]) -> None:
        """Make a call without retries, since it would be useless later."""
        await ask(call, RetryPolicy(one_call=self.bot.retry.one_call, total=0))


def file_host(api_base: str | None) -> FileHost:
    """Return the hosts of Discord's attachments."""
    return FileHost(
        hosts=_FILE_HOSTS,
        own=api_base,
        refused=sentence("I only take files from Discord itself. Please attach it to the command."),
        not_given=_NOT_GIVEN,
    )


def _answers(message: discord.Message, asked_id: int) -> bool:
    return message.reference is not None and message.reference.message_id == asked_id
