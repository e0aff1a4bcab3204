"""One connection to Discord at a time: an attempt lasts as long as it holds, and says what waiting cannot fix."""

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
    """Keeps a client over failed attempts where that can be, so that answers under way are not lost with a gateway.

    Args:
        make_client: makes a client that asks for the content of messages, or does without.
        token: the bot's token.
        look_after: how often the connection is looked after, in seconds.
        stuck: after how many seconds without a session, or without a login, discord.py is not trusted to come to one.
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
        """Connect and stay connected; whatever is raised may be tried again, but for a SettingsError.

        Raises:
            SettingsError: the token is wrong, or Discord refuses for good.
        """
        try:
            client = await self._logged_in()
            await self._connect(client)
        except discord.PrivilegedIntentsRequired:
            if not self._message_content:
                raise SettingsError(UNMENDABLE[_DISALLOWED_INTENTS]) from None
            self._message_content = False
            _log.warning(
                "The Message Content intent is not granted: only mentions, replies and commands are heard. "
                "It is switched on in the developer portal, under Bot."
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
        """Return the scopes of the servers that the bot is in, as far as they are known yet."""
        return [scope_of(guild.id, 0) for guild in self.client.guilds] if self.client else []

    @override
    def is_there(self) -> bool:
        """Whether there is a session, or was until a moment ago."""
        client = self.client
        return client is not None and client.user is not None and client.away_for < self._stuck

    @override
    async def close(self) -> None:
        """Say goodbye."""
        client, self.client = self.client, None
        if client is not None:
            await client.close()

    async def _connect(self, client: ThusfarClient) -> None:
        """Stay connected for as long as a session comes in time.

        discord.py waits for up to seventeen minutes between two attempts, and for ever where a gateway takes it in and
        says nothing more.
        """
        client.waits_for_session()
        connected = asyncio.create_task(client.connect())
        try:
            while not connected.done():
                await asyncio.wait([connected], timeout=self._look_after)
                await client.check_token()
                if client.away_for > self._stuck:
                    raise ConnectionError(f"there was no session for {self._stuck:.0f} s")
            await connected
        except AttributeError:
            # discord.py 2.x waits after a refused first connection and then trips over the gateway it never had.
            if client.ws is not None:
                raise
            raise ConnectionError("the gateway refuses connections") from None
        finally:
            connected.cancel()
            await asyncio.gather(connected, return_exceptions=True)

    async def _logged_in(self) -> ThusfarClient:
        """Return the client of before where it can go on, its gateway hung up; else a new one."""
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
