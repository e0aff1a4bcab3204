"""What every LeftServerRepository does."""

from datetime import UTC, datetime, timedelta

import pytest

from core.ports.left_servers import LeftServerRepository
from tests.contracts.stores import Stores

_LEFT = datetime(2024, 5, 1, 12, tzinfo=UTC)
_LATER = _LEFT + timedelta(days=30)
_SERVER = "discord:1"


@pytest.fixture
def left(stores: Stores) -> LeftServerRepository:
    return stores.left


async def test_a_server_that_returns_keeps_all(stores: Stores, left: LeftServerRepository) -> None:
    book = await stores.add_book(scope=_SERVER)
    await left.note([_SERVER], _LEFT)
    assert await left.returned([_SERVER, "discord:2"]) == [_SERVER]
    assert await left.returned([_SERVER]) == []
    assert await left.erase(_SERVER, left_before=_LATER) is None
    assert (await stores.books.get(book.book_id)).scope == _SERVER


async def test_what_a_server_left_is_erased_and_nothing_else(stores: Stores, left: LeftServerRepository) -> None:
    theirs, ours = await stores.add_book(scope=_SERVER), await stores.add_book(scope="discord:11")
    await left.note([_SERVER, "discord:11"], _LEFT)
    assert await left.erase(_SERVER, left_before=_LEFT) is None
    erased = await left.erase(_SERVER, left_before=_LATER)
    assert erased is not None
    assert erased.book_ids == (theirs.book_id,)
    assert await stores.books.in_scope(scope=_SERVER) == []
    assert [book.book_id for book in await stores.books.in_scope(scope="discord:11")] == [ours.book_id]
    assert await left.erase(_SERVER, left_before=_LATER) is None
    assert await left.left_before(_LATER) == ["discord:11"]


async def test_a_workspace_takes_its_direct_messages_along_and_a_guild_nobodys(
    stores: Stores, left: LeftServerRepository
) -> None:
    scopes = ("slack:T1", "slack:dm:T1:U1", "slack:dm:T10:U1", "slack:T10", "discord:dm:1")
    books = {scope: await stores.add_book(scope=scope) for scope in scopes}
    assert await left.stored("slack") == ["slack:T1", "slack:T10"]
    assert await left.stored("discord") == []
    await left.note(["slack:T1"], _LEFT)
    erased = await left.erase("slack:T1", left_before=_LATER)
    assert erased is not None
    assert set(erased.book_ids) == {books["slack:T1"].book_id, books["slack:dm:T1:U1"].book_id}
