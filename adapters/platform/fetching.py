"""Fetches a file that a member gave, from the platform's own hosts alone, and never more of it than was allowed."""

import asyncio
import logging
import tempfile
from collections.abc import AsyncIterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import aiohttp

from core.catalogue.sentences import say
from core.domain.clean_text import clean
from core.domain.errors import BookError, BookErrorCode, ThusfarError

_log = logging.getLogger(__name__)

_TIMEOUT: Final = aiohttp.ClientTimeout(total=600, connect=30, sock_read=60)
_PIECE: Final = 64 * 1024
_OK: Final = 200
_MOST_PASTED: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FileHost:
    """Where a platform keeps files: its hosts (over https), and the operator's own address of it, if any.

    `refused` is said where an address is not one of these, `not_given` where the file does not come. A page of HTML
    is no book where `html_is_refusal`: it is what a login looks like.
    """

    hosts: frozenset[str]
    own: str | None
    refused: str
    not_given: str
    headers: Mapping[str, str] = field(default_factory=dict)
    html_is_refusal: bool = False

    def gives(self, url: str) -> bool:
        """Whether an address is one of the platform's own."""
        address, own = urlsplit(url), urlsplit(self.own or "")
        if own.netloc and (address.scheme, address.netloc) == (own.scheme, own.netloc):
            return True
        return address.scheme == "https" and address.netloc in self.hosts


async def fetch(url: str, path: Path, *, host: FileHost, most: int) -> None:
    """Write what an address gives to a file.

    Raises:
        ThusfarError: it is not the platform's own address, or gives no file.
        BookError: it is larger than `most` bytes.
    """
    if not host.gives(url):
        raise ThusfarError(say(host.refused))
    try:
        async with (
            aiohttp.ClientSession(timeout=_TIMEOUT, headers=host.headers) as session,
            session.get(url, allow_redirects=False) as response,
        ):
            is_page = host.html_is_refusal and response.content_type == "text/html"
            if response.status != _OK or is_page:
                _log.warning("A file was not given: %s%s", response.status, ", but a page" if is_page else "")
                raise ThusfarError(say(host.not_given))
            await write_pieces(response.content.iter_chunked(_PIECE), path, most)
    except (aiohttp.ClientError, TimeoutError) as error:
        _log.warning("A file could not be fetched: %s", type(error).__name__)
        raise ThusfarError(say(host.not_given)) from None


async def fetch_text(url: str, *, host: FileHost) -> str:
    """Return the text of a long message that a platform made a file of. Raises as `fetch`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pasted"
        await fetch(url, path, host=host, most=_MOST_PASTED)
        return clean((await asyncio.to_thread(path.read_bytes)).decode(errors="replace")).strip()


async def write_pieces(pieces: AsyncIterable[bytes], path: Path, most: int) -> None:
    """Write what comes piece by piece to a file. Raises BookError: it is larger than `most` bytes."""
    taken = 0
    with await asyncio.to_thread(path.open, "wb") as file:
        async for piece in pieces:
            taken += len(piece)
            if taken > most:
                raise too_large(most)
            await asyncio.to_thread(file.write, piece)


def too_large(most: int) -> BookError:
    """Return what is said of a file of more than `most` bytes."""
    told = say("That file is too large: I take books of up to {megabytes} MB.", megabytes=format(most / 1e6, "g"))
    return BookError(BookErrorCode.TOO_LARGE, told)
