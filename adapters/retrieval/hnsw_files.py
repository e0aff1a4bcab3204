"""Checks whether Chroma's vector files are complete before Chroma loads them: a truncated one crashes the process.

The layout is hnswlib's as Chroma 1.5.9 writes it (the version is pinned).
"""

import struct
from pathlib import Path

_NAMES = ("header.bin", "data_level0.bin", "length.bin", "link_lists.bin")
_HEADER_BYTES = 100
_HEADER_COUNTS = struct.Struct("<12x8xQQ")
_UINT32 = struct.Struct("<I")


def vector_files_are_whole(folder: Path) -> bool:
    """Whether every index in Chroma's folder has all its files in full length."""
    indexes = [inner for inner in folder.iterdir() if inner.is_dir() and any(inner.iterdir())]
    return all(_is_whole(index) for index in indexes)


def _is_whole(index: Path) -> bool:
    header, vectors, lengths, links = (index / name for name in _NAMES)
    if not all(file.is_file() for file in (header, vectors, lengths, links)):
        return False
    head = header.read_bytes()
    if len(head) != _HEADER_BYTES:
        return False
    count, row_bytes = _HEADER_COUNTS.unpack_from(head)
    return (
        vectors.stat().st_size >= count * row_bytes
        and lengths.stat().st_size >= count * _UINT32.size
        and _holds_lists(links.read_bytes(), count)
    )


def _holds_lists(content: bytes, count: int) -> bool:
    """Whether each element has its list: a number of bytes, then those bytes."""
    offset = 0
    for _ in range(count):
        if offset + _UINT32.size > len(content):
            return False
        offset += _UINT32.size + _UINT32.unpack_from(content, offset)[0]
    return offset <= len(content)
