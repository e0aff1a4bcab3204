"""Calls of discord.py with retries; errors are translated for the port, and into sentences if retrying is useless."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import aiohttp
import discord
import yarl

from adapters.platform.retry import RetryPolicy, retried
from adapters.platform.surface import (
    GoneError,
    NoRightError,
    OutOfReachError,
    RefusedError,
    TokenRefusedError,
    TooOftenError,
)

Result = TypeVar("Result")

WRONG_TOKEN: Final = "Discord doesn't accept DISCORD_TOKEN. Copy the bot's token again from the developer portal."  # noqa: S105

UNMENDABLE: Final = {
    4004: WRONG_TOKEN,
    4010: "Discord refuses the connection: it was told an invalid shard (close code 4010).",
    4011: "Discord refuses the connection: the bot is in too many servers for one process (close code 4011).",
    4012: "Discord refuses the connection: its API has a version this program does not speak (close code 4012).",
    4013: "Discord refuses the connection: it does not know the intents that were asked for (close code 4013).",
    4014: "Discord refuses the connection: it grants none of the intents that were asked for (close code 4014).",
}
"""The gateway's close codes after which retrying is useless."""

_TOO_MANY: Final = 429
_UNAUTHORIZED: Final = 401
_TOKEN_OF_INTERACTION: Final = 50_027
_LONGEST_LINE: Final = 200


async def ask(call: Callable[[], Awaitable[Result]], policy: RetryPolicy) -> Result:
    """Make a call, retrying after a broken connection, a server error or a rate limit; discord.py retries some itself.

    The call must be safe to repeat: a post with its nonce, a thread at a message.

    Raises:
        OutOfReachError: Discord did not answer within the policy's time, or demands a longer wait.
        RefusedError: Discord refused.
    """

    async def once() -> Result:
        try:
            async with asyncio.timeout(policy.one_call):
                return await call()
        except discord.HTTPException as error:
            raise translated(error) from error
        except (aiohttp.ClientError, OSError) as error:
            raise OutOfReachError(type(error).__name__) from error
        except (discord.DiscordException, LookupError, AttributeError, TypeError, ValueError) as error:
            raise RefusedError(f"an unreadable answer ({type(error).__name__})") from error

    return await retried(once, policy)


def translated(error: discord.HTTPException) -> OutOfReachError | RefusedError:
    """Return the port's error for one of Discord's."""
    cause = in_short(error)
    if error.status == _TOO_MANY:
        # discord.py waits out Discord's own limits, but not Cloudflare's, which come without `Via`.
        return TooOftenError(cause, wait=_asked_to_wait(error))
    if isinstance(error, discord.DiscordServerError):
        return OutOfReachError(cause)
    if error.status == _UNAUTHORIZED and error.code != _TOKEN_OF_INTERACTION:
        return TokenRefusedError(cause)
    if isinstance(error, discord.NotFound):
        return GoneError(cause, code=error.code)
    if isinstance(error, discord.Forbidden):
        return NoRightError(cause, code=error.code)
    return RefusedError(cause, code=error.code)


def in_short(error: Exception) -> str:
    """Return the first line of an error; the rest may be whole HTML pages, or what was sent."""
    return next(iter(str(error).splitlines()), "")[:_LONGEST_LINE] or type(error).__name__


def set_up(*, api_base: str | None) -> None:
    """Configure discord.py for the whole process, before the first call: the operator's API address, if any."""
    # The bot uses no voice; without this discord.py warns that voice dependencies are missing.
    discord.VoiceClient.warn_nacl = False
    discord.VoiceClient.warn_dave = False
    if api_base is not None:
        discord.http.Route.BASE = api_base.rstrip("/")


def set_gateway(url: str) -> None:
    """Set the gateway's address before the first connection; discord.py never requests it."""
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url)


def _asked_to_wait(error: discord.HTTPException) -> float | None:
    try:
        return float(error.response.headers.get("Retry-After", 0)) or None
    except ValueError:
        return None
