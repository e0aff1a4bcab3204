"""What every AliasRepository does."""

import pytest

from core.domain.alias import Alias
from core.domain.edition import PlaceMap
from core.domain.errors import BookError
from core.ports.aliases import AliasRepository
from tests.builders import a_book_text
from tests.contracts.stores import Stores

_NARRATOR = Alias(name="I", stands_for="Jim Hawkins", page=12)


@pytest.fixture
def aliases(stores: Stores) -> AliasRepository:
    return stores.aliases


async def test_what_was_said_of_a_name_is_kept_by_its_page(stores: Stores, aliases: AliasRepository) -> None:
    reading_id = (await stores.conversation()).reading_id
    other = (await stores.conversation("s2", book=await stores.add_book(a_book_text(title="Other")))).reading_id
    assert await aliases.of_reading(reading_id) == []
    later, again = Alias(name="I", stands_for="Ben", page=30), Alias(name="i", stands_for="James", page=12)
    for alias in (_NARRATOR, later, again):
        await aliases.put(reading_id, alias)
    assert sorted(await aliases.of_reading(reading_id), key=lambda each: each.page) == [again, later]
    assert await aliases.of_reading(other) == []


async def test_a_name_is_taken_back_as_far_as_it_can_be_seen(stores: Stores, aliases: AliasRepository) -> None:
    reading_id = (await stores.conversation()).reading_id
    later = Alias(name="I", stands_for="Ben", page=30)
    for alias in (_NARRATOR, later, Alias(name="Pew", stands_for="Ben", page=3)):
        await aliases.put(reading_id, alias)
    await aliases.remove(reading_id, "pew", up_to=12)
    await aliases.remove(reading_id, " i ", up_to=29)
    assert await aliases.of_reading(reading_id) == [later]
    await aliases.remove(reading_id, "nobody", up_to=99)


async def test_a_reading_that_is_gone_takes_none(aliases: AliasRepository) -> None:
    with pytest.raises(BookError):
        await aliases.put("r_none", _NARRATOR)


async def test_in_another_import_it_is_never_told_earlier(stores: Stores, aliases: AliasRepository) -> None:
    old = await stores.add_book()
    reading_id = (await stores.conversation(book=old)).reading_id
    await aliases.put(reading_id, Alias(name="I", stands_for="Ada", page=3))
    new = await stores.add_book(a_book_text(["a"] * 12, title="Twelve"))
    places = PlaceMap(
        pages_down=(0, 2, 4, 6, 8, 10, 12), pages_up=(0, 3, 5, 7, 9, 11, 12), offset=lambda offset: offset
    )
    assert await stores.books.succeed(old.book_id, new.book_id, places)
    assert await aliases.of_reading(reading_id) == [Alias(name="I", stands_for="Ada", page=7)]
