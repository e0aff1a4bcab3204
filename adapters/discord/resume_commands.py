"""Commands and buttons that an earlier process left: answered while their token lives, else in a direct message."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import discord
from typing_extensions import override

from adapters.discord.bot import Bot
from adapters.discord.calls import ask
from adapters.discord.interactions import Interaction, InteractionSurface, may_see
from adapters.discord.listening import DiscordMessage
from adapters.discord.render import nonce, rendered, view_of
from adapters.platform.platform_app import PlatformApp
from adapters.platform.surface import GoneError, OutOfReachError, Picture, RefusedError
from adapters.platform.uploads import HALF_SHOWN
from core.club.commands.values import Choice
from core.domain.inbound import InboundEvent

_log = logging.getLogger(__name__)

_UNKNOWN_MESSAGE: Final = 10_008


async def take_up_used(bot: Bot, platform_app: PlatformApp[DiscordMessage]) -> None:
    """Deal with the commands and buttons that an earlier process left."""
    async with platform_app.running_tasks.noted():
        await bot.used.take_up(partial(_take_up, bot, platform_app))


async def _take_up(
    bot: Bot, platform_app: PlatformApp[DiscordMessage], event: InboundEvent, sentence: str | None
) -> None:
    payload: dict[str, Any] = event.payload
    # What Discord told is the one way to an object that answers as the library does.
    used: Interaction = discord.Interaction(data=payload["interaction"], state=bot.client._connection)  # noqa: SLF001
    words, text, about = str(payload["words"]), str(payload["text"]), payload.get("about")
    channel = await bot.channel(int(payload["channel_id"] if about is None else about))
    if about is None and not isinstance(channel, discord.PartialMessageable):
        used.channel = channel
    # What stands beside a button has no place of its own that would show whether it is answered.
    if not payload.get("beside") and await _is_answered(used, bot, sentence):
        return
    user = used.user if about is None else await bot.member(channel, used.user.id)
    if user is None or not may_see(channel, user):
        return
    surface = _LeftSurface(used, bot, channel, user, about=about, beside=bool(payload.get("beside")))
    if sentence is not None:
        await surface.tell(sentence)
    elif words.startswith(".") and words not in platform_app.services.commands.in_menus():
        choice = Choice(label="", command=words, text=text, seal=str(payload.get("seal") or ""))
        await platform_app.buttons.press(surface, choice, again=True)
    else:
        await platform_app.commands.run(surface, words, text, again=True)


async def _is_answered(used: Interaction, bot: Bot, sentence: str | None) -> bool:
    """Whether the private `thinking` has been replaced, or taken away.

    Where it was replaced by how far an import is, which is over, the sentence takes the place of that.
    """
    try:
        shown = await ask(used.original_response, bot.retry)
        if sentence is not None and HALF_SHOWN.fullmatch(shown.content):
            await ask(lambda: shown.edit(content=sentence), bot.retry)
    except GoneError as error:
        return error.code == _UNKNOWN_MESSAGE
    except RefusedError:
        return False
    return not shown.flags.loading


class _LeftSurface(InteractionSurface):
    """Where a command was used; its user is told directly where the token is of no use any more."""

    @override
    async def retire_buttons(self, stays: Callable[[str], bool]) -> None:
        """Let them be: the message that they stand under was not stored, and whoever presses them again may."""

    @override
    async def tell(self, text: str, choices: Sequence[Choice] = (), *, picture: Picture | None = None) -> bool:
        return await super().tell(text, choices, picture=picture) or await self._tell_directly(text, choices)

    async def _tell_directly(self, text: str, choices: Sequence[Choice]) -> bool:
        parts = rendered(text)
        view = view_of(await self.sealed(choices, alone=True), about=self.place.id)
        try:
            direct = await ask(lambda: self.bot.client.create_dm(discord.Object(self.user_id)), self.bot.retry)
            for number, part in enumerate(parts):
                arguments: dict[str, Any] = {"nonce": nonce(f"{self.ref}:{text}", number), "suppress_embeds": True}
                if view is not None and number == len(parts) - 1:
                    arguments["view"] = view
                await ask(partial(direct.send, part, **arguments), self.bot.retry)
        except (OutOfReachError, RefusedError) as error:
            _log.info("%s could not be answered directly: %s", self.ref, error)
            return False
        return True
