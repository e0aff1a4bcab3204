"""Changes that make a valid file a broken or a hostile one, each decided by a seed; called by the fuzzing."""

import random
from collections.abc import Callable, Mapping
from typing import Final

from tests.adapters.readers.epubs import Epub, packed
from tests.fuzz.seeds import EPUBS, MARKDOWNS, PDFS, TEXTS

_TOKENS: Final = [
    *(
        b"<",
        b">",
        b"</p>",
        b"<p>",
        b"&",
        b"&amp;",
        b"&#0;",
        b"&#x10ffff;",
        b"&lol;",
        b"<![CDATA[",
        b"]]>",
        b"<!--",
        b"-->",
    ),
    *(b'<!DOCTYPE html [<!ENTITY a "b">]>', b'<!ENTITY x SYSTEM "file:///etc/passwd">', b'id="c1"', b'epub:type="toc"'),
    *(b'href="../../../x"', b"xmlns:a='b'", b"<a href='#n1'>1</a>", b"<span epub:type='pagebreak' title='1'/>"),
    *(b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\x0c", b"\r", b"\xed\xa0\x80", b"\x1b[1m", b"%PDF-1.7", b"PK\x03\x04"),
    *(
        b"obj",
        b"endobj",
        b"stream",
        b"endstream",
        b"xref",
        b"trailer",
        b"startxref",
        b"1 0 R",
        b"6 0 R",
        b"/Kids",
        b"[",
        b"]",
    ),
    *(
        b"<<",
        b">>",
        b"/Length 99999999",
        b"/Filter /FlateDecode",
        b"/Encrypt 3 0 R",
        b"-1",
        b"4294967296",
        b"BT",
        b"Tj",
        b"Tm",
    ),
    *(b"Chapter ", b"IV", b"\n\n", b"***", b"    ", b"# ", b"> ", b"[a]: b", b"| a | b |", b"\xe2\x80\xae", b"9" * 30),
]
_MOST_CHANGES: Final = 6


def case(kind: str, seed: int) -> tuple[str, bytes]:
    """Return the ending and the content of one file; the same for the same seed."""
    chance = random.Random(f"{kind} {seed}")
    ending, make = _KINDS[kind]
    return ending, make(chance)


def kinds() -> list[str]:
    """Return the formats that are fuzzed."""
    return list(_KINDS)


def _epub(chance: random.Random) -> bytes:
    members = _book(chance, EPUBS).members()
    if chance.random() < 0.75:  # most files come to harm in their text rather than in their archive
        for _ in range(chance.randint(1, 3)):
            name = chance.choice([*members][1:])
            members[name] = _changed(members[name], chance)
            if chance.random() < 0.1:
                del members[name]
        return packed(members)
    return _changed(packed(members), chance)


def _pdf(chance: random.Random) -> bytes:
    return _changed(PDFS[chance.choice([*PDFS])].made(), chance)


def _plain(seeds: Mapping[str, bytes]) -> Callable[[random.Random], bytes]:
    return lambda chance: _changed(seeds[chance.choice([*seeds])], chance)


def _book(chance: random.Random, books: Mapping[str, Epub]) -> Epub:
    return books[chance.choice([*books])]


def _changed(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, _MOST_CHANGES)):
        chance.choice(_CHANGES)(changed, chance)
    return bytes(changed)


def _flip(data: bytearray, chance: random.Random) -> None:
    for _ in range(chance.randint(1, 8)):
        if data:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _insert(data: bytearray, chance: random.Random) -> None:
    at = chance.randint(0, len(data))
    data[at:at] = chance.choice(_TOKENS) * chance.choice([1, 1, 1, 2, 300])


def _overwrite(data: bytearray, chance: random.Random) -> None:
    token = chance.choice(_TOKENS)
    at = chance.randint(0, len(data))
    data[at : at + len(token)] = token


def _cut(data: bytearray, chance: random.Random) -> None:
    at = chance.randint(0, len(data))
    del data[at : at + chance.choice([1, 4, 40, 400])]


def _repeat(data: bytearray, chance: random.Random) -> None:
    at = chance.randint(0, len(data))
    data[at:at] = data[at : at + chance.choice([1, 10, 100])] * chance.choice([1, 2, 50])


def _truncate(data: bytearray, chance: random.Random) -> None:
    if chance.random() < 0.3:
        del data[chance.randint(0, len(data)) :]


def _other_number(data: bytearray, chance: random.Random) -> None:
    digits = [at for at, byte in enumerate(data) if 0x30 <= byte <= 0x39]
    if digits:
        at = chance.choice(digits)
        data[at : at + 1] = chance.choice([b"0", b"9", b"-1", b"65536", b"2147483648", b"1e9"])


_CHANGES: Final = [_flip, _insert, _insert, _overwrite, _cut, _repeat, _truncate, _other_number]
_KINDS: Final[dict[str, tuple[str, Callable[[random.Random], bytes]]]] = {
    "epub": (".epub", _epub),
    "pdf": (".pdf", _pdf),
    "text": (".txt", _plain(TEXTS)),
    "markdown": (".md", _plain(MARKDOWNS)),
}
