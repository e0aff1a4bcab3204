"""One connection to Discord at a time: an attempt lasts as long as it holds; what waiting cannot mend says so."""

import logging
from collections.abc import Callable
from typing import Final

import discord

from adapters.discord.client import ThusfarClient
from adapters.discord.translate import scope_of
from adapters.discord.wrong import UNMENDABLE, WRONG_TOKEN
from core.domain.errors import SettingsError

_log = logging.getLogger(__name__)

_LEAVE_FOR_NOW: Final = 4_000

MakeClient = Callable[[bool], ThusfarClient]


class DiscordConnection:
    """Keeps a client over failed attempts where that can be, so that answers under way are not lost with a gateway.

    Args:
        make_client: makes a client that asks for the content of messages, or does without.
        token: the bot's token.
    """

    def __init__(self, make_client: MakeClient, *, token: str) -> None:
        self._make_client = make_client
        self._token = token
        self._message_content = True
        self._client: ThusfarClient | None = None

    async def attempt(self) -> None:
        """Connect and stay connected; whatever is raised may be tried again, but for a SettingsError.

        Raises:
            SettingsError: the token is wrong, or Discord refuses for good.
        """
        try:
            client = await self._logged_in()
            await self._connect(client)
        except discord.PrivilegedIntentsRequired:
            self._message_content = False
            _log.warning(
                "The Message Content intent is not granted: only mentions, replies and commands are heard. "
                "It is switched on in the developer portal, under Bot."
            )
            await self._drop()
            await self.attempt()
        except discord.LoginFailure:
            raise SettingsError(WRONG_TOKEN) from None
        except discord.ConnectionClosed as closed:
            sentence = UNMENDABLE.get(closed.code)
            if sentence is None:
                raise
            raise SettingsError(sentence) from None

    def scopes(self) -> list[str]:
        """Return the scopes of the servers that the bot is in, as far as they are known yet."""
        return [scope_of(guild.id, 0) for guild in self._client.guilds] if self._client else []

    async def finish(self, *, within: float) -> None:
        """Take nothing new, and let the turns under way end, for so many seconds."""
        if self._client is not None and not self._client.is_closed():
            await self._client.finish(within=within)

    async def close(self) -> None:
        """Say goodbye."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _connect(self, client: ThusfarClient) -> None:
        try:
            await client.connect()
        except AttributeError:
            # discord.py 2.x waits after a refused first connection and then trips over the gateway it never had.
            if client.ws is not None:
                raise
            raise ConnectionError("the gateway refuses connections") from None

    async def _logged_in(self) -> ThusfarClient:
        """Return the client of before where it can go on, its gateway hung up; else a new one."""
        client = self._client
        if client is not None and client.user is not None and not client.is_closed():
            if client.ws is not None:
                await client.ws.close(code=_LEAVE_FOR_NOW)
            return client
        await self._drop()
        client = self._client = self._make_client(self._message_content)
        try:
            await client.login(self._token)
        except BaseException:
            await self._drop()
            raise
        return client

    async def _drop(self) -> None:
        await self.finish(within=0)
        await self.close()
