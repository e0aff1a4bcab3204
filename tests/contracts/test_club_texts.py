"""What every ClubTexts does."""

import pytest

from core.domain.club_text import ClubText, TextKind
from core.domain.edition import PlaceMap
from core.ports.club_texts import ClubTexts
from tests.builders import a_book_text
from tests.contracts.stores import Stores


@pytest.fixture
def texts(stores: Stores) -> ClubTexts:
    return stores.texts


def _text(last: int, text: str = "Something.", kind: TextKind = TextKind.RECAP, member_id: str = "") -> ClubText:
    return ClubText(kind=kind, first_page=1, last_page=last, text=text, member_id=member_id)


async def test_texts_are_kept_by_kind_and_shown_to_nobody_at_an_earlier_page(stores: Stores, texts: ClubTexts) -> None:
    reading_id = (await stores.conversation()).reading_id
    other = (await stores.conversation("s2", book=await stores.add_book(a_book_text(title="Other")))).reading_id
    kept = [_text(4), _text(2, "Ä “quoted”\nline?"), _text(3, "", TextKind.QUESTION)]
    await texts.keep(reading_id, kept[:2])
    await texts.keep(reading_id, kept[2:])
    assert await texts.of_reading(reading_id, TextKind.RECAP, last_page=4) == kept[:2]
    assert await texts.of_reading(reading_id, TextKind.RECAP, last_page=3) == kept[1:2]
    assert await texts.of_reading(reading_id, TextKind.RECAP, last_page=1) == []
    assert await texts.of_reading(reading_id, TextKind.QUESTION, last_page=9) == kept[2:]
    assert await texts.of_reading(other, TextKind.RECAP, last_page=9) == []


async def test_what_a_member_wrote_goes_when_they_are_forgotten(stores: Stores, texts: ClubTexts) -> None:
    reading_id = (await stores.conversation()).reading_id
    theirs, model = _text(2, "Mine?", TextKind.ADDED, "ada"), _text(2, "Yours?", TextKind.ADDED, "ben")
    await texts.keep(reading_id, [theirs, model])
    await stores.clubs.forget_member(scope="local", member_id="ada")
    assert await texts.of_reading(reading_id, TextKind.ADDED, last_page=9) == [model]


async def test_what_was_written_about_the_old_pages_goes_with_them(stores: Stores, texts: ClubTexts) -> None:
    old = await stores.add_book()
    reading_id = (await stores.conversation(book=old)).reading_id
    await texts.keep(reading_id, [_text(2)])
    new = await stores.add_book(a_book_text(["a"] * 12, title="Twelve"))
    places = PlaceMap(pages_down=tuple(range(7)), pages_up=tuple(range(7)), offset=lambda offset: offset)
    assert await stores.books.succeed(old.book_id, new.book_id, places)
    assert await texts.of_reading(reading_id, TextKind.RECAP, last_page=12) == []
