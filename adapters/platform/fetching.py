"""Downloads files that members attach, only from the platform's own hosts and only up to a size limit."""

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
_PIECE_BYTES: Final = 64 * 1024
_OK: Final = 200
_MOST_PASTED_BYTES: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FileHost:
    """Where a platform keeps files: its https hosts, and `own`, an address that the operator configured.

    `refused` is the sentence for other addresses, `not_given` the one for failed downloads. With `html_is_refusal`, an
    HTML page counts as a failed download, since it is a login page.
    """

    hosts: frozenset[str]
    own: str | None
    refused: str
    not_given: str
    headers: Mapping[str, str] = field(default_factory=dict)
    html_is_refusal: bool = False

    def gives(self, url: str) -> bool:
        """Whether the address belongs to the platform."""
        address, own = urlsplit(url), urlsplit(self.own or "")
        if own.netloc and (address.scheme, address.netloc) == (own.scheme, own.netloc):
            return True
        return address.scheme == "https" and address.netloc in self.hosts


async def fetch(url: str, path: Path, *, host: FileHost, most: int) -> None:
    """Download an address to a file.

    Raises:
        ThusfarError: the address isn't the platform's own, or gives no file.
        BookError: the file is larger than `most` bytes.
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
                _log.warning(
                    "A file could not be downloaded: status %s%s",
                    response.status,
                    " with an HTML page" if is_page else "",
                )
                raise ThusfarError(say(host.not_given))
            await write_pieces(response.content.iter_chunked(_PIECE_BYTES), path, most)
    except (aiohttp.ClientError, TimeoutError) as error:
        _log.warning("A file could not be downloaded: %s", type(error).__name__)
        raise ThusfarError(say(host.not_given)) from None


async def fetch_text(url: str, *, host: FileHost) -> str:
    """Return the text of a long message that the platform turned into a file. Raises as `fetch`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pasted"
        await fetch(url, path, host=host, most=_MOST_PASTED_BYTES)
        return clean((await asyncio.to_thread(path.read_bytes)).decode(errors="replace")).strip()


async def write_pieces(pieces: AsyncIterable[bytes], path: Path, most: int) -> None:
    """Write the pieces to a file. Raises BookError if they exceed `most` bytes."""
    taken = 0
    with await asyncio.to_thread(path.open, "wb") as file:
        async for piece in pieces:
            taken += len(piece)
            if taken > most:
                raise too_large(most)
            await asyncio.to_thread(file.write, piece)


def too_large(most: int) -> BookError:
    """Return the error for a file of more than `most` bytes."""
    told = say("That file is too large: I take books of up to {megabytes} MB.", megabytes=format(most / 1e6, "g"))
    return BookError(BookErrorCode.TOO_LARGE, told)
