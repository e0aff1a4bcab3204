"""What every ClubRecord does."""

from dataclasses import replace

import pytest

from core.domain.club_record import Archive, ReadingSums
from core.domain.conversation import TurnOutcome
from core.domain.sealed_item import SealedItemKind
from core.ports.club_record import ClubRecord
from core.ports.turn_record import TurnEnd
from tests.builders import a_passage, a_prediction
from tests.contracts.stores import Stores


@pytest.fixture
def club_record(stores: Stores) -> ClubRecord:
    return stores.club_record


async def _answered(stores: Stores, *, thread: str = "one", question: str = "Who?", rests_on_book: bool = True) -> str:
    """Ask and answer in a thread; return the reading."""
    turn = await stores.begin(question, thread=thread)
    outcome = TurnOutcome(text="She did.", sources=(a_passage(),) if rests_on_book else ())
    await stores.end(turn, TurnEnd(outcome=outcome, messages=()))
    return (await stores.conversations.get(turn.conversation_id)).reading_id


async def test_a_reading_in_numbers(stores: Stores, club_record: ClubRecord) -> None:
    assert await club_record.sums("r_none") == ReadingSums()
    reading_id = await _answered(stores)
    await stores.sealed_items.keep(a_prediction(reading_id))
    await stores.places.set_reading_position(reading_id, position=4, member_id="ada")
    sums = await club_record.sums(reading_id)
    assert (sums.questions, sums.found, sums.quotes, sums.predictions) == (1, 1, 0, 1)
    assert sums.begun_at is not None


async def test_the_archive_holds_what_was_before_all(stores: Stores, club_record: ClubRecord) -> None:
    assert await club_record.archive("r_none") == Archive()
    reading_id = await _answered(stores, question="Who was it?")
    kept = await stores.sealed_items.keep(a_prediction(reading_id, opens_at=3))
    await stores.sealed_items.keep(a_prediction(reading_id, opens_at=5))
    await stores.places.opened(reading_id, 4)
    await stores.places.set_reading_position(reading_id, position=4, member_id="ada")
    archive = await club_record.archive(reading_id)
    (answer,) = archive.answers
    assert (answer.question, answer.answer, answer.page, answer.asker) == ("Who was it?", "She did.", 2, "Ada")
    assert [move.page for move in archive.moves] == [4]
    assert archive.sealed_items == (replace(kept, told=True),)


async def test_a_quotation_counts_once_the_club_has_got_to_it(stores: Stores, club_record: ClubRecord) -> None:
    reading_id = (await stores.conversation()).reading_id
    await stores.sealed_items.keep(replace(a_prediction(reading_id, opens_at=5), kind=SealedItemKind.QUOTE))
    assert (await club_record.sums(reading_id)).quotes == 0
    await stores.places.opened(reading_id, 5)
    assert (await club_record.sums(reading_id)).quotes == 1


async def test_what_a_member_asked_alone_is_not_in_it(stores: Stores, club_record: ClubRecord) -> None:
    reading_id = await _answered(stores, thread="one~ada")
    assert (await club_record.archive(reading_id)).answers == ()
    assert (await club_record.sums(reading_id)).questions == 1


async def test_what_is_kept_of_a_member_is_theirs_alone(stores: Stores, club_record: ClubRecord) -> None:
    reading_id = await _answered(stores)
    await stores.sealed_items.keep(a_prediction(reading_id, text="The sea rises."))
    own = await club_record.of_member(scope="local", member_id=a_prediction(reading_id).member_id)
    assert [one["text"] for one in own["quotes_and_predictions"]] == ["The sea rises."]
    assert "opens_at" not in own["quotes_and_predictions"][0]
    assert await club_record.of_member(scope="local", member_id="nobody") == {}
