"""Keeps one connection to Discord, and turns permanent failures into SettingsErrors."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import discord
from typing_extensions import override

from adapters.discord.calls import UNMENDABLE, WRONG_TOKEN, in_short
from adapters.discord.client import ThusfarClient
from adapters.discord.listening import scope_of
from adapters.platform.connection import PlatformConnection
from adapters.platform.surface import TokenRefusedError
from core.domain.errors import SettingsError

_log = logging.getLogger(__name__)

_LEAVE_FOR_NOW: Final = 4_000
_LOOK_AFTER_S: Final = 10.0
_STUCK_S: Final = 120.0
_DISALLOWED_INTENTS: Final = 4_014

MakeClient = Callable[[bool], ThusfarClient]


class DiscordConnection(PlatformConnection[ThusfarClient]):
    """Connects to Discord, and keeps the client across failed attempts so that running answers survive.

    Args:
        make_client: makes a client, with or without the Message Content intent.
        token: the bot's token.
        look_after: seconds between checks of the connection.
        stuck: seconds without a session, or without a login, after which discord.py is stopped.
    """

    def __init__(
        self, make_client: MakeClient, *, token: str, look_after: float = _LOOK_AFTER_S, stuck: float = _STUCK_S
    ) -> None:
        self._make_client = make_client
        self._token = token
        self._look_after = look_after
        self._stuck = stuck
        self._message_content = True

    @override
    async def attempt(self) -> None:
        """Connect and stay connected. Every error may be retried, except a SettingsError.

        Raises:
            SettingsError: the token is wrong, or Discord refuses permanently.
        """
        try:
            client = await self._logged_in()
            await self._connect(client)
        except discord.PrivilegedIntentsRequired:
            if not self._message_content:
                raise SettingsError(UNMENDABLE[_DISALLOWED_INTENTS]) from None
            self._message_content = False
            _log.warning(
                "The Message Content intent is not granted: the bot sees only mentions, replies and commands. "
                "Switch it on in the developer portal, under Bot."
            )
            await self._drop()
            await self.attempt()
        except (discord.LoginFailure, TokenRefusedError):
            raise SettingsError(WRONG_TOKEN) from None
        except discord.ConnectionClosed as closed:
            sentence = UNMENDABLE.get(closed.code)
            if sentence is None:
                raise
            raise SettingsError(sentence) from None
        except discord.HTTPException as error:
            raise ConnectionError(in_short(error)) from None

    @override
    def scopes(self) -> list[str]:
        """Return the scopes of the bot's servers, as far as known."""
        return [scope_of(guild.id, 0) for guild in self.client.guilds] if self.client else []

    @override
    def is_there(self) -> bool:
        """Whether there is a session, or was until a moment ago."""
        client = self.client
        return client is not None and client.user is not None and client.away_for < self._stuck

    @override
    async def close(self) -> None:
        """Close the connection."""
        client, self.client = self.client, None
        if client is not None:
            await client.close()

    async def _connect(self, client: ThusfarClient) -> None:
        """Stay connected while sessions begin in time.

        discord.py waits up to seventeen minutes between two attempts, and for ever if a gateway accepts it and then
        stays silent.
        """
        client.waits_for_session()
        connected = asyncio.create_task(client.connect())
        try:
            while True:
                await asyncio.wait([connected], timeout=self._look_after)
                if connected.done() or client.is_closed():
                    break  # its own error says why; a token can't be checked once the session is closed
                await client.check_token()
                if client.away_for > self._stuck:
                    raise ConnectionError(f"no session for {self._stuck:.0f} s")
            await connected
        except AttributeError:
            # discord.py 2.x waits after a refused first connection, and then fails on the missing gateway.
            if client.ws is not None:
                raise
            raise ConnectionError("the gateway refuses connections") from None
        finally:
            connected.cancel()
            await asyncio.gather(connected, return_exceptions=True)

    async def _logged_in(self) -> ThusfarClient:
        """Return the previous client with its gateway closed, if it can be reused; else a new client."""
        client = self.client
        if client is not None and client.user is not None and not client.is_closed():
            if client.ws is not None:
                await client.ws.close(code=_LEAVE_FOR_NOW)
            return client
        await self._drop()
        client = self.client = self._make_client(self._message_content)
        try:
            async with asyncio.timeout(self._stuck):
                await client.login(self._token)
        except BaseException:
            await self._drop()
            raise
        return client

    async def _drop(self) -> None:
        await self.finish(within=0)
        await self.close()
