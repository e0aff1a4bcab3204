"""DATABASE_URL: an invalid one is refused in one sentence that repeats none of its parts."""

import pytest

from adapters.persistence.database import Database
from core.domain.errors import StorageError

_SECRET = "s3cret"  # noqa: S105 (made up, to look for it)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        (f"postgresql://ann:pass@{_SECRET}@host/books", "%40"),
        (f"postgresql://ann:{_SECRET}@host:port/books", "postgresql://user:password@host/name"),
        (f"mysql://ann:{_SECRET}@host/books", "postgresql://user:password@host/name"),
        (f"host=127.0.0.1 password={_SECRET}", "postgresql://user:password@host/name"),
        ("sqlite://", "sqlite:////srv/thusfar.db"),
        ("sqlite:///:memory:", "sqlite:////srv/thusfar.db"),
        ("sqlite+nothing:////srv/x.db", "DATABASE_URL"),
    ],
)
def test_an_invalid_address_is_refused(url: str, says: str) -> None:
    with pytest.raises(StorageError) as refused:
        Database(url)
    assert says in str(refused.value)
    assert "DATABASE_URL" in str(refused.value)
    assert _SECRET not in str(refused.value)
    assert "\n" not in str(refused.value)
