"""Small files that unpack to what no reader may take: built here, read as an import reads them.

`python -m tests.fuzz.bombs NAME` prints what was said, in how many seconds, and the most that a process held.
"""

import asyncio
import json
import resource
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

from adapters.readers.isolated import IsolatedBookReader
from core.domain.errors import BookError
from tests.adapters.readers.epubs import Epub

_GIGABYTE = 1_000_000_000


def _pdf(*streams: tuple[bytes, str]) -> bytes:
    """Return a PDF with a page for each stream of content; its filters come with it."""
    pages = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(streams)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(streams)} /Kids [{pages}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, (content, filters) in enumerate(streams):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents {5 + 2 * at} 0 R "
            f"/Resources << /Font << /F 3 0 R >> >> >>".encode(),
            f"<< /Length {len(content)} /Filter {filters} >> stream\n".encode() + content + b"\nendstream",
        ]
    body, offsets = b"%PDF-1.7\n", list[int]()
    for number, each in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj ".encode() + each + b" endobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    count = len(objects) + 1
    tail = (
        f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer << /Size {count} /Root 1 0 R >>\nstartxref\n{len(body)}"
    )
    return body + f"{tail}\n%%EOF\n".encode()


def _packed(part: bytes, size: int) -> bytes:
    """Pack a part again and again, as often as fills so many bytes. One block is packed, and repeated."""
    block = part * (1_000_000 // len(part))
    count, checksum = size // len(block), 1
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    for _ in range(count):
        checksum = zlib.adler32(block, checksum)
    return b"\x78\xda" + packed * count + b"\x03\x00" + checksum.to_bytes(4, "big")


def _twice_packed() -> bytes:
    return _pdf((zlib.compress(_packed(b" ", _GIGABYTE), 9), "[/FlateDecode /FlateDecode]"))


def _shown_again_and_again() -> bytes:
    """A page that shows the same words more often than any book has words."""
    return _pdf((_packed(b"BT /F 9 Tf 9 9 Td (the lamp ) Tj ET\n", 300_000_000), "/FlateDecode"))


def _many_pages() -> bytes:
    one = _packed(b"BT /F 9 Tf 9 9 Td (the lamp ) Tj ET\n", 20_000_000)
    return _pdf(*[(one, "/FlateDecode")] * 100)


def _huge_attributes() -> bytes:
    """Attributes that don't pack well, so that no look at the sizes finds them."""
    attribute = Random(1).randbytes(500_000).hex()
    page = "".join(f'<p id="p{at}" class="{attribute}" title="{attribute}">One.</p>' for at in range(12))
    return Epub(documents={"a.xhtml": f"<h1>One</h1>{page}"}).packed()


def _long_text() -> bytes:
    return b"The keeper lit the lamp, and nobody came. " * 1_100_000


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a stream packed twice": ("pdf", _twice_packed),
    "a page of a million lines": ("pdf", _shown_again_and_again),
    "a hundred such pages": ("pdf", _many_pages),
    "huge attributes": ("epub", _huge_attributes),
    "45 MB of text": ("txt", _long_text),
}


def main(name: str) -> None:
    """Read one of them."""
    ending, build = BOMBS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"bomb.{ending}"
        path.write_bytes(build())
        size, began = path.stat().st_size, time.monotonic()
        try:
            book = asyncio.run(IsolatedBookReader().read(path))
            told = f"a book of {len(book.pages)} pages"
        except BookError as error:
            told = str(error)
    held = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    seconds = round(time.monotonic() - began, 1)
    json.dump({"bytes": size, "told": told, "seconds": seconds, "megabytes": held}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
