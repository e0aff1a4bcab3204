"""What every KeepsakeRepository does."""

from dataclasses import replace

import pytest

from core.domain.edition import PlaceMap
from core.domain.sealed_item import SealedItemKind, Vote, Votes
from core.ports.sealed_items import SealedItemRepository
from tests.builders import a_book_text, a_prediction
from tests.contracts.stores import Stores


@pytest.fixture
def sealed_items(stores: Stores) -> SealedItemRepository:
    return stores.sealed_items


async def test_it_comes_back_as_it_was_left_in_the_order_of_the_pages(
    stores: Stores, sealed_items: SealedItemRepository
) -> None:
    reading_id = (await stores.conversation()).reading_id
    kept = [await sealed_items.keep(a_prediction(reading_id, opens_at=page)) for page in (6, 4)]
    quote = await sealed_items.keep(replace(a_prediction(reading_id), kind=SealedItemKind.QUOTE))
    assert await sealed_items.of_reading(reading_id, SealedItemKind.PREDICTION) == kept[::-1]
    assert await sealed_items.of_reading(reading_id, SealedItemKind.QUOTE) == [quote]
    assert replace(kept[0], keepsake_id=0) == a_prediction(reading_id, opens_at=6)
    assert await sealed_items.find(reading_id, quote.keepsake_id) == quote


async def test_what_opens_is_told_once(stores: Stores, sealed_items: SealedItemRepository) -> None:
    reading_id = (await stores.conversation()).reading_id
    first = await sealed_items.keep(a_prediction(reading_id, opens_at=3))
    second = await sealed_items.keep(a_prediction(reading_id, opens_at=5))
    assert await stores.places.opened(reading_id, 2) == []
    assert await stores.places.opened(reading_id, 4) == [first]
    assert await stores.places.opened(reading_id, 4) == []
    assert await stores.places.opened(reading_id, 9) == [second]
    assert await sealed_items.find(reading_id, first.keepsake_id) == replace(first, told=True)


async def test_each_week_has_a_quotation_of_its_own_that_was_read(
    stores: Stores, sealed_items: SealedItemRepository
) -> None:
    reading_id = (await stores.conversation()).reading_id
    await sealed_items.keep(a_prediction(reading_id, opens_at=1))
    quotes = [
        await sealed_items.keep(replace(a_prediction(reading_id, opens_at=page), kind=SealedItemKind.QUOTE))
        for page in (6, 4, 2)
    ]
    assert await sealed_items.of_week(reading_id, "1", reached=5) == quotes[1]
    assert await sealed_items.of_week(reading_id, "1", reached=9) == quotes[1]
    assert await sealed_items.of_week(reading_id, "1", reached=3) is None
    assert await sealed_items.of_week(reading_id, "2", reached=5) == quotes[2]
    assert await sealed_items.of_week(reading_id, "3", reached=5) is None
    assert await sealed_items.of_week(reading_id, "3", reached=6) == quotes[0]
    assert await sealed_items.of_week("r_other", "1", reached=9) is None


async def test_a_member_has_one_vote(stores: Stores, sealed_items: SealedItemRepository) -> None:
    kept = await sealed_items.keep(a_prediction((await stores.conversation()).reading_id))
    assert await sealed_items.votes(kept.keepsake_id) == Votes()
    await sealed_items.vote(kept.keepsake_id, "ada", Vote.RIGHT)
    await sealed_items.vote(kept.keepsake_id, "bo", Vote.RIGHT)
    votes = await sealed_items.vote(kept.keepsake_id, "ada", Vote.HALF)
    assert votes == await sealed_items.votes(kept.keepsake_id) == Votes(counts={Vote.HALF: 1, Vote.RIGHT: 1})
    assert await sealed_items.vote(kept.keepsake_id + 9, "ada", Vote.HALF) == Votes()


async def test_they_go_with_the_member_who_left_them(stores: Stores, sealed_items: SealedItemRepository) -> None:
    reading_id = (await stores.conversation()).reading_id
    hers, his = [await sealed_items.keep(a_prediction(reading_id, by=who)) for who in ("ada", "bo")]
    await sealed_items.vote(his.keepsake_id, "ada", Vote.WRONG)
    await stores.clubs.forget_member(scope="local", member_id="ada")
    assert await sealed_items.find(reading_id, hers.keepsake_id) is None
    assert await sealed_items.find(reading_id, his.keepsake_id) == his
    assert await sealed_items.votes(his.keepsake_id) == Votes()


async def test_they_open_no_earlier_in_another_import_of_the_book(
    stores: Stores, sealed_items: SealedItemRepository
) -> None:
    old = await stores.add_book(a_book_text(["a"] * 6, title="Six"))
    reading_id = (await stores.conversation(book=old)).reading_id
    kept = await sealed_items.keep(a_prediction(reading_id, opens_at=5))
    new = await stores.add_book(a_book_text(["a"] * 12, title="Twelve"))
    places = PlaceMap(
        pages_down=(0, 2, 4, 6, 8, 10, 12), pages_up=(0, 3, 5, 7, 9, 11, 12), offset=lambda offset: offset
    )
    assert await stores.books.succeed(old.book_id, new.book_id, places)
    assert await sealed_items.find(reading_id, kept.keepsake_id) == replace(kept, made_at=5, opens_at=11)
