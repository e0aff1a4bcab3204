"""`/book add`: fetches the file from Discord alone, has core import it, and shows the progress in one message."""

import asyncio
import logging
import re
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import aiohttp
import discord

from adapters.discord.posting import patiently, rendered, send_parts
from adapters.discord.private import NOT_REACHED, acknowledge, request_of, sentence_for, tell
from core.domain.errors import BookError, BookErrorCode, ThusfarError

if TYPE_CHECKING:
    from adapters.discord.private import Used

_log = logging.getLogger(__name__)

_HOSTS: Final = frozenset({"cdn.discordapp.com", "media.discordapp.net"})
_TIMEOUT: Final = aiohttp.ClientTimeout(total=600, connect=30, sock_read=60)
_PIECE: Final = 64 * 1024
_OK: Final = 200
_ODD: Final = re.compile(r"[^\w .()-]")
_LONGEST_NAME: Final = 60
_NOT_GIVEN: Final = "Discord did not give me that file; please attach it again."


class BookShelf:
    """Takes books in, a few at a time."""

    def __init__(self, *, at_once: int = 2, pause: float = 1.5) -> None:
        self._turns = asyncio.Semaphore(at_once)
        self._pause = pause

    async def add(self, used: "Used", file: discord.Attachment, title: str | None) -> None:
        """Import an organiser's file, and tell them how it goes and what chapters it has."""
        if not await acknowledge(used):
            return
        progress = _Progress(used, file.filename, pause=self._pause)
        try:
            text = await self._added(used, file, title, progress)
        except Exception as error:  # noqa: BLE001 (whatever it is, the organiser hears a sentence)
            text = sentence_for(used, error)
        await progress.end(text)

    async def _added(self, used: "Used", file: discord.Attachment, title: str | None, progress: "_Progress") -> str:
        options, books = used.client.options, used.client.services.book_commands
        request = request_of(used)
        books.check_may_add(request)
        if file.size > options.max_book_bytes:
            raise _too_large(options.max_book_bytes)
        await progress.begin()
        async with self._turns:
            with tempfile.TemporaryDirectory(prefix="thusfar-") as folder:
                path = Path(folder) / (_ODD.sub("_", file.filename)[-_LONGEST_NAME:].lstrip(".") or "book")
                await _fetch(file.url, path, most=options.max_book_bytes, api_base=options.api_base)
                response = await books.add(path, request, title=title or None, on_progress=progress.tell)
        return response.text


class _Progress:
    """One private message that is edited as the work goes on; the end is told elsewhere where it cannot be edited."""

    def __init__(self, used: "Used", name: str, *, pause: float) -> None:
        self._used = used
        self._name = discord.utils.escape_markdown(name)
        self._pause = pause
        self._message: discord.WebhookMessage | None = None
        self._latest = ""
        self._came = asyncio.Event()
        self._ended = asyncio.Event()
        self._showing: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Show that the work has begun."""
        send = partial(
            self._used.followup.send,
            f"Reading {self._name} …",
            ephemeral=True,
            suppress_embeds=True,
            allowed_mentions=discord.AllowedMentions.none(),
            wait=True,
        )
        with suppress(*NOT_REACHED):
            self._message = await patiently(send, self._used.client.patience)
        self._showing = asyncio.create_task(self._keep_showing())

    def tell(self, what: str, done: int, total: int) -> None:
        """Take what core tells; it is shown when the message may be edited again."""
        self._latest = f"Reading {self._name}: {what}, {done * 100 // max(total, 1)} % …"
        self._came.set()

    async def end(self, text: str) -> None:
        """Put the outcome in place of the progress, in the channel where the interaction has ended its life."""
        if self._showing is not None:
            self._ended.set()
            self._came.set()
            await self._showing
        first, *others = rendered(text)
        shown = await self._edit(first) if self._message is not None else await tell(self._used, first)
        if not shown:
            await self._tell_in_channel(text)
        elif others:
            await tell(self._used, "\n\n".join(others))

    async def _keep_showing(self) -> None:
        while True:
            await self._came.wait()
            self._came.clear()
            if self._ended.is_set() or not await self._edit(self._latest):
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause):
                    await self._ended.wait()

    async def _edit(self, text: str) -> bool:
        message = self._message
        if message is None:
            return False
        edit = partial(message.edit, content=text, allowed_mentions=discord.AllowedMentions.none())
        try:
            await patiently(edit, self._used.client.patience)
        except NOT_REACHED as error:
            _log.info("The progress of interaction %s cannot be shown: %s", self._used.id, error)
            return False
        return True

    async def _tell_in_channel(self, text: str) -> None:
        """Tell the organiser where all can read it: the first paragraph alone, since the chapters are for them."""
        channel, organiser = self._used.channel, discord.utils.escape_markdown(self._used.user.display_name)
        summary = text.partition("\n\n")[0]
        if not isinstance(channel, discord.abc.Messageable):
            return
        try:
            await send_parts(
                channel,
                f"{organiser}: {summary}",
                ref=f"interaction:{self._used.id}",
                patience=self._used.client.patience,
            )
        except NOT_REACHED as error:
            _log.warning("The outcome of interaction %s could not be told: %s", self._used.id, error)


async def _fetch(url: str, path: Path, *, most: int, api_base: str | None) -> None:
    """Write what an address of Discord's own gives to a file, and never more than was allowed."""
    if not _is_discords(url, api_base):
        raise ThusfarError("I take files from Discord itself alone; please attach it to the command.")
    taken = 0
    try:
        async with (
            aiohttp.ClientSession(timeout=_TIMEOUT) as session,
            session.get(url, allow_redirects=False) as response,
        ):
            if response.status != _OK:
                _log.warning("A file was not given: %s", response.status)
                raise ThusfarError(_NOT_GIVEN)
            with await asyncio.to_thread(path.open, "wb") as file:
                async for piece in response.content.iter_chunked(_PIECE):
                    taken += len(piece)
                    if taken > most:
                        raise _too_large(most)
                    await asyncio.to_thread(file.write, piece)
    except (aiohttp.ClientError, TimeoutError) as error:
        _log.warning("A file could not be fetched: %s", type(error).__name__)
        raise ThusfarError(_NOT_GIVEN) from None


def _is_discords(url: str, api_base: str | None) -> bool:
    address, own = urlsplit(url), urlsplit(api_base or "")
    if own.netloc and (address.scheme, address.netloc) == (own.scheme, own.netloc):
        return True
    return address.scheme == "https" and address.netloc in _HOSTS


def _too_large(most: int) -> BookError:
    return BookError(BookErrorCode.TOO_LARGE, f"That file is too large: I take books of up to {most / 1e6:g} MB.")
