"""The valid forms of `CHROMA_URL`."""

import pytest

from adapters.retrieval.chroma_address import ChromaAddress


@pytest.mark.parametrize(
    ("url", "host", "port", "is_encrypted", "database", "key"),
    [
        ("http://127.0.0.1:8000", "127.0.0.1", 8000, False, "thusfar", None),
        ("http://127.0.0.1:8000/", "127.0.0.1", 8000, False, "thusfar", None),
        ("HTTP://chroma:8000/club-two", "chroma", 8000, False, "club-two", None),
        ("https://chroma.example", "chroma.example", 443, True, "thusfar", None),
        ("http://[::1]:8000", "[::1]", 8000, False, "thusfar", None),
        ("https://t0ken@chroma.example/", "chroma.example", 443, True, "thusfar", "Bearer t0ken"),
        ("https://:t0ken@chroma.example/", "chroma.example", 443, True, "thusfar", "Bearer t0ken"),
        ("https://ada:p%40ss@chroma.example", "chroma.example", 443, True, "thusfar", "Basic YWRhOnBAc3M="),
    ],
)
def test_an_address(url: str, host: str, port: int, is_encrypted: bool, database: str, key: str | None) -> None:
    address = ChromaAddress.of(url)
    assert (address.host, address.port, address.is_encrypted) == (host, port, is_encrypted)
    assert (address.database, address.key) == (database, key)
    assert address.shown == f"{url.split(':', maxsplit=1)[0].lower()}://{host}:{port}/{database}"


@pytest.mark.parametrize(
    "url",
    [
        "chroma:8000",
        "localhost",
        "ftp://chroma:8000",
        "postgresql://ada:s3cret@db/chroma",
        "http://",
        "http://:8000",
        "http://chroma:port",
        "http://chroma:99999",
        "http://[::1",
        "http://chroma:8000/api/v2",
        "http://chroma:8000/x",
        "http://chroma:8000?tenant=one",
        "http://chroma:8000#one",
        "http://two%20words@chroma:8000",
        "http://%0a@chroma:8000",
    ],
)
def test_an_invalid_address_is_refused_without_being_shown(url: str) -> None:
    with pytest.raises(ValueError, match=r"^no ") as refused:
        ChromaAddress.of(url)
    assert "s3cret" not in str(refused.value)
    assert refused.value.__cause__ is None
