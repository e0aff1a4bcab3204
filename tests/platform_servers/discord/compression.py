"""The two ways in which Discord's gateway compresses: one stream for the whole life of a connection."""

import importlib
import zlib
from collections.abc import Callable
from typing import Any

ZLIB = "zlib-stream"
ZSTD = "zstd-stream"


def compressor(name: str) -> Callable[[str], bytes]:
    """What turns each message into its piece of the stream, ended so that the client can read it at once."""
    if name == ZLIB:
        deflate = zlib.compressobj()
        return lambda text: deflate.compress(text.encode()) + deflate.flush(zlib.Z_SYNC_FLUSH)
    # A client asks for it only where the package is installed.
    zstandard: Any = importlib.import_module("zstandard")
    stream = zstandard.ZstdCompressor().compressobj()
    return lambda text: stream.compress(text.encode()) + stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
