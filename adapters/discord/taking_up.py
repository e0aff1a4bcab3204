"""Slash commands that an earlier process left: answered while their token lives, else in a direct message."""

import logging
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import discord
from typing_extensions import override

from adapters.discord.bot import Bot
from adapters.discord.calls import ask
from adapters.discord.interactions import Interaction, InteractionSurface
from adapters.discord.listening import MemberMessage
from adapters.discord.render import nonce, rendered, view_of
from adapters.platform.flows import Flows
from adapters.platform.surface import GoneError, OutOfReachError, RefusedError
from core.app.commands.values import Choice
from core.domain.inbound import InboundEvent

_log = logging.getLogger(__name__)

_UNKNOWN_MESSAGE: Final = 10_008


async def take_up_used(bot: Bot, flows: Flows[MemberMessage]) -> None:
    """Deal with the commands that an earlier process left."""
    async with flows.running_tasks.noted():
        await bot.used.take_up(partial(_take_up, bot, flows))


async def _take_up(bot: Bot, flows: Flows[MemberMessage], event: InboundEvent, sentence: str | None) -> None:
    payload: dict[str, Any] = event.payload
    # What Discord told is the one way to an object that answers as the library does.
    used: Interaction = discord.Interaction(data=payload["interaction"], state=bot.client._connection)  # noqa: SLF001
    channel = await bot.channel(int(payload["channel_id"]))
    if not isinstance(channel, discord.PartialMessageable):
        used.channel = channel
    if await _is_answered(used, bot):
        return
    surface = _LeftSurface(used, bot, channel, used.user)
    if sentence is not None:
        await surface.tell(sentence)
        return
    await flows.commands.run(surface, str(payload["words"]), str(payload["text"]), again=True)


async def _is_answered(used: Interaction, bot: Bot) -> bool:
    """Whether the private `thinking` has been replaced, or taken away."""
    try:
        return not (await ask(used.original_response, bot.retry)).flags.loading
    except GoneError as error:
        return error.code == _UNKNOWN_MESSAGE
    except RefusedError:
        return False


class _LeftSurface(InteractionSurface):
    """Where a command was used; its user is told directly where the token is of no use any more."""

    @override
    async def tell(self, text: str, choices: Sequence[Choice] = ()) -> bool:
        return await super().tell(text, choices) or await self._tell_directly(text, choices)

    async def _tell_directly(self, text: str, choices: Sequence[Choice]) -> bool:
        parts = rendered(text)
        view = view_of(choices, about=self.place.id)
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
