"""The address of a Chroma server, as given in `CHROMA_URL`."""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urlsplit

OWN_DATABASE: Final = "thusfar"
_SCHEMES: Final = {"http": 80, "https": 443}
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]+[A-Za-z0-9]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChromaAddress:
    """A Chroma server's address, its database, and the key that it or a proxy requires.

    `shown` is the address without the key; the key goes into the `Authorization` header.
    """

    shown: str
    host: str
    port: int
    is_encrypted: bool
    database: str
    key: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, url: str) -> "ChromaAddress":
        """Read `http://host:8000`, with an optional token or name:password before the host, and a database after it."""
        try:
            parts = urlsplit(url)
            host, port, scheme = parts.hostname, parts.port, parts.scheme
        except ValueError:
            raise ValueError("no address") from None
        database = parts.path.strip("/") or OWN_DATABASE
        names = [unquote(each) for each in (parts.username, parts.password) if each]
        if scheme not in _SCHEMES or not host or parts.query or parts.fragment or not _NAME.fullmatch(database):
            raise ValueError("no address of a Chroma server")
        if not all(name.isascii() and name.isprintable() and " " not in name for name in names):
            raise ValueError("no such secret goes into a header")
        bracketed, port = f"[{host}]" if ":" in host else host, _SCHEMES[scheme] if port is None else port
        return cls(
            shown=f"{scheme}://{bracketed}:{port}/{database}",
            host=bracketed,
            port=port,
            is_encrypted=scheme == "https",
            database=database,
            key=_key(names),
        )


def _key(names: Sequence[str]) -> str | None:
    """Return the header value for a token, or for a name and a password."""
    if len(names) > 1:
        return f"Basic {b64encode(':'.join(names).encode()).decode()}"
    return f"Bearer {names[0]}" if names else None
