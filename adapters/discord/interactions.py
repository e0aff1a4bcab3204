"""Slash commands and buttons as surfaces: each interaction is acknowledged first, then answered."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final

import aiohttp
import discord
from typing_extensions import override

from adapters.discord.bot import Bot
from adapters.discord.calls import ask
from adapters.discord.files import send_files, sent
from adapters.discord.hiding import put_away_before
from adapters.discord.listening import DiscordMessage, Talk, member_of, rights_in
from adapters.discord.render import NOBODY, lasting_view, rendered, view_of
from adapters.discord.surface import DiscordSurface
from adapters.platform.commands import NOT_HERE
from adapters.platform.platform_app import PlatformApp
from adapters.platform.running_tasks import RunningTasks
from adapters.platform.surface import (
    GoneError,
    OutOfReachError,
    Person,
    Picture,
    ProgressReport,
    RefusedError,
)
from adapters.platform.uploads import tells_of_reading
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice, HandedFile
from core.domain.conversation import Author
from core.domain.errors import NotPermittedError
from core.domain.inbound import InboundEvent

Interaction = discord.Interaction[Any]

_log = logging.getLogger(__name__)

ALREADY_HEARD: Final = 40_060
_UNKNOWN_MESSAGE: Final = 10_008
_ONE_ATTEMPT_S: Final = 1.5
_NOT_REACHED: Final = sentence("I couldn't reach that channel.")
_NOT_A_MEMBER: Final = sentence("That belongs to a channel you aren't in.")


async def acknowledge(used: Interaction, *, beside: bool = False) -> bool:
    """Acknowledge an interaction within Discord's three seconds; return False if it is too late to act on it.

    The answer later replaces a private `thinking` message, or is shown `beside` the pressed button.
    """
    # `ask` is not used: there is time for one retry without a pause, and errors have their own meaning here.
    for attempt in range(2):
        try:
            async with asyncio.timeout(_ONE_ATTEMPT_S):
                if beside:
                    await used.response.defer()
                else:
                    await used.response.defer(ephemeral=True, thinking=True)
        except discord.HTTPException as error:
            # A connection that broke may have delivered the first attempt all the same.
            if attempt and error.code == ALREADY_HEARD:
                return True
            _log.warning("Interaction %s could not be acknowledged: %s", used.id, error)
            return False
        except (aiohttp.ClientError, OSError) as error:
            _log.info("Interaction %s: the connection broke (%s).", used.id, type(error).__name__)
        else:
            return True
    return False


async def undertake(
    used: Interaction,
    bot: Bot,
    running_tasks: RunningTasks,
    act: Callable[["InteractionSurface"], Awaitable[object]],
    *,
    beside: bool = False,
    about: int | None = None,
    command: tuple[str, ...] | None = None,
) -> None:
    """Acknowledge an interaction and run it, so that a shutdown waits for it; during a shutdown, refuse it.

    `command` holds a command's words and text, or a button's with its seal. It is stored first, so that the next start
    can finish what a crash left.
    """

    async def do() -> None:
        try:
            surface = await surface_of(used, bot, about, beside=beside)
        except (NotPermittedError, GoneError, OutOfReachError) as error:
            await tell(used, bot, str(error) if isinstance(error, NotPermittedError) else say(_NOT_REACHED))
            return
        await act(surface)

    async with running_tasks.noted():
        where = {"beside": beside, "about": about}
        event = None if command is None else await _kept(used, bot, where, *command)
        if await acknowledge(used, beside=beside):
            await running_tasks.run(do, refuse=lambda sentence: tell(used, bot, sentence))
        if event is not None:
            await bot.used.done(event)


async def _kept(
    used: Interaction, bot: Bot, where: dict[str, Any], words: str, text: str, seal: str = ""
) -> InboundEvent:
    told = {"text": text, "seal": seal, "channel_id": used.channel_id, "interaction": as_stored(used)}
    return await bot.used.keep(place=str(used.channel_id), used_id=str(used.id), words=words, payload={**told, **where})


def as_stored(used: Interaction) -> dict[str, Any]:
    """Return the fields of an interaction that are needed to answer it after a restart."""
    user = used.user
    told: dict[str, Any] = {
        "id": str(used.id),
        "type": int(used.type.value),
        "token": used.token,
        "version": used.version,
        "application_id": str(used.application_id),
        "attachment_size_limit": used.filesize_limit,
    }
    person = {
        "id": str(user.id),
        "username": user.name,
        "discriminator": user.discriminator,
        "avatar": None,
        "global_name": user.global_name,
    }
    if used.guild_id is None or not isinstance(user, discord.Member):
        return told | {"user": person}
    roles = [str(role.id) for role in user.roles if not role.is_default()]
    member = {
        "user": person,
        "nick": user.nick,
        "roles": roles,
        "permissions": str(used.permissions.value),
        "joined_at": None,
        "flags": 0,
    }
    return told | {"guild_id": str(used.guild_id), "member": member}


async def surface_of(
    used: Interaction, bot: Bot, about: int | None = None, *, beside: bool = False
) -> "InteractionSurface":
    """Return the surface of an interaction; a button in a DM may be `about` a channel that its member can see.

    `beside` as it was acknowledged.

    Raises:
        NotPermittedError: it is no text channel, or the member is not in it.
        GoneError: the channel was deleted.
    """
    if about is None:
        if not isinstance(used.channel, Talk) or used.user is discord.utils.MISSING:
            raise NotPermittedError(say(NOT_HERE))
        return InteractionSurface(used, bot, used.channel, used.user, beside=beside)
    channel = await bot.channel(about)
    member = await bot.member(channel, used.user.id)
    if member is None or not may_see(channel, member):
        raise NotPermittedError(say(_NOT_A_MEMBER))
    return InteractionSurface(used, bot, channel, member, about=about, beside=beside)


def may_see(channel: Talk, user: discord.User | discord.Member) -> bool:
    """Whether a user can see a server's channel; False if that isn't known."""
    if not isinstance(user, discord.Member):
        return True
    rights = rights_in(channel, user)
    return rights is not None and rights.view_channel


async def tell(
    used: Interaction,
    bot: Bot,
    text: str,
    choices: Sequence[Choice] = (),
    *,
    about: int | None = None,
    picture: Picture | None = None,
) -> bool:
    """Show a text to the member alone, buttons and picture with its last part; return False if Discord refused."""
    view = view_of(choices, about=about)
    parts = rendered(text)
    try:
        for number, part in enumerate(parts):
            is_last = number == len(parts) - 1
            more: dict[str, Any] = {"view": view} if view is not None and is_last else {}
            await sent(partial(_follow_up, used, part, **more), picture if is_last else None, bot.retry)
    except (OutOfReachError, RefusedError) as error:
        _log.warning("Interaction %s could not be answered: %s", used.id, error)
        return False
    return True


class InteractionSurface(DiscordSurface):
    """A place where a member used a command or a button."""

    def __init__(
        self,
        used: Interaction,
        bot: Bot,
        channel: Talk,
        user: discord.User | discord.Member,
        *,
        about: int | None = None,
        beside: bool = False,
    ) -> None:
        super().__init__(bot, channel, user_id=user.id, ref=f"interaction:{used.id}")
        self._used = used
        self._user = user
        self._about = about
        self._beside = beside

    @override
    async def author(self) -> Author:
        return member_of(self._user)

    @override
    async def person(self) -> Person:
        member = self._user if isinstance(self._user, discord.Member) else None
        return self._person(member_of(self._user), member, None if member is None else member.resolved_permissions)

    @override
    async def tell(self, text: str, choices: Sequence[Choice] = (), *, picture: Picture | None = None) -> bool:
        shown = await self.sealed(choices, alone=True)
        return await tell(self._used, self.bot, text, shown, about=self._about, picture=picture)

    @override
    async def hand_over(self, text: str, files: Sequence[HandedFile], choices: Sequence[Choice] = ()) -> None:
        send = partial(_follow_up, self._used)
        shown = await self.sealed(choices, alone=True)
        await send_files(send, text, files, shown, about=self._about, retry=self.bot.retry)

    @override
    async def finish(self) -> None:
        """Delete the private `thinking` message: everything to say is in the channel."""
        if self._beside:
            return
        try:
            await ask(self._used.delete_original_response, self.bot.retry)
        except (OutOfReachError, RefusedError) as error:
            _log.info("The `thinking` of interaction %s stays: %s", self._used.id, error)

    @override
    async def report(self, text: str) -> ProgressReport | None:
        try:
            begun = await ask(partial(_follow_up, self._used, text), self.bot.retry)
        except (OutOfReachError, RefusedError) as error:
            _log.info("The progress of interaction %s cannot be shown: %s", self._used.id, error)
            return None
        return self._edited(begun.edit)

    @override
    async def _already_posted(self) -> dict[str, int]:
        """Return the bot's posts in the channel since the command was used."""
        own = await self.bot.own_posts(self.place, after=discord.Object(self._used.id))
        return {message.content: message.id for message in own}

    @override
    async def put_away(self, turn_id: int, line: str, choices: Sequence[Choice]) -> bool:
        message = self._used.message
        if message is None:
            return False
        view = view_of(await self.sealed(choices))
        await ask(partial(message.edit, content=line, view=view, allowed_mentions=NOBODY), self.bot.retry)
        await put_away_before(self.bot, self.place, message, line)
        return True

    @override
    async def retire_buttons(self, stays: Callable[[str], bool]) -> None:
        message = self._used.message
        view = None if message is None else lasting_view(message, stays)
        try:
            await ask(lambda: self._used.edit_original_response(view=view), self.bot.retry)
        except (OutOfReachError, RefusedError) as error:
            _log.info("The buttons of interaction %s stay: %s", self._used.id, error)


async def _follow_up(used: Interaction, text: str, **more: Any) -> discord.WebhookMessage:  # noqa: ANN401 (the call's arguments)
    return await used.followup.send(
        text, ephemeral=True, suppress_embeds=True, allowed_mentions=NOBODY, wait=True, **more
    )


class _LeftoverSurface(InteractionSurface):
    """An interaction left by an earlier process; its member gets a DM if the interaction's token has expired."""

    @override
    async def retire_buttons(self, stays: Callable[[str], bool]) -> None:
        """Leave the buttons: their message was not stored, and they may be pressed again."""

    @override
    async def tell(self, text: str, choices: Sequence[Choice] = (), *, picture: Picture | None = None) -> bool:
        return await super().tell(text, choices, picture=picture) or await self._send_dm(text, choices) is not None


async def take_up_used(bot: Bot, platform_app: PlatformApp[DiscordMessage]) -> None:
    """Finish the commands and buttons that an earlier process left."""
    async with platform_app.running_tasks.noted():
        await bot.used.take_up(partial(_take_up, bot, platform_app))


async def _take_up(
    bot: Bot, platform_app: PlatformApp[DiscordMessage], event: InboundEvent, sentence: str | None
) -> None:
    payload: dict[str, Any] = event.payload
    # Discord's data is the only way to an object that answers as the library's own.
    used: Interaction = discord.Interaction(data=payload["interaction"], state=bot.client._connection)  # noqa: SLF001
    words, text, about = str(payload["words"]), str(payload["text"]), payload.get("about")
    channel = await bot.channel(int(payload["channel_id"] if about is None else about))
    if about is None and not isinstance(channel, discord.PartialMessageable):
        used.channel = channel
    # An answer beside a button has no message of its own that would show whether it was answered.
    if not payload.get("beside") and await _is_answered(used, bot, sentence):
        return
    user = used.user if about is None else await bot.member(channel, used.user.id)
    if user is None or not may_see(channel, user):
        return
    surface = _LeftoverSurface(used, bot, channel, user, about=about, beside=bool(payload.get("beside")))
    if sentence is not None:
        await surface.tell(sentence)
    elif words.startswith(".") and words not in platform_app.services.commands.in_menus():
        choice = Choice(label="", command=words, text=text, seal=str(payload.get("seal") or ""))
        await platform_app.buttons.press(surface, choice, again=True)
    else:
        await platform_app.commands.run(surface, words, text, again=True)


async def _is_answered(used: Interaction, bot: Bot, sentence: str | None) -> bool:
    """Whether the private `thinking` message was replaced or deleted.

    If it shows the progress of an import, which has ended, the sentence replaces that.
    """
    try:
        shown = await ask(used.original_response, bot.retry)
        if sentence is not None and tells_of_reading(shown.content):
            await ask(lambda: shown.edit(content=sentence), bot.retry)
    except GoneError as error:
        return error.code == _UNKNOWN_MESSAGE
    except RefusedError:
        return False
    return not shown.flags.loading
