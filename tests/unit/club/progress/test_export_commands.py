"""An organiser's copy of what a club did: all that was before all, up to the page, read again as it was written."""

import json
from datetime import UTC, datetime

import pytest

from core.club.commands.values import CommandResponse
from core.club.progress.club_archive import archive_facts, archive_json, archive_text, file_name
from core.domain.club_record import Archive, KeptAnswer, PageMove
from core.domain.errors import NotPermittedError
from tests.builders import BO, a_prediction
from tests.unit.club_house import House

_AT = datetime(2026, 3, 1, 19, tzinfo=UTC)


async def _house(position: int) -> House:
    house = House()
    await house.reading(position=position)
    return house


def _facts(response: CommandResponse) -> dict[str, list[dict[str, object]]]:
    (made,) = [file.data for file in response.files if file.name.endswith(".json")]
    loaded: dict[str, list[dict[str, object]]] = json.loads(made)
    return loaded


async def test_it_is_what_was_done_up_to_the_page() -> None:
    house = await _house(6)
    await house.use("quote", "Tobias hid the ledger under the", by=BO)
    await house.moved("1")
    exported = await house.use("export", organiser=True)
    assert [file.name for file in exported.files] == ["the-marrow-light.md", "the-marrow-light.json"]
    assert _facts(exported)["quotes"] == []
    await house.moved("6")
    exported = await house.use("export", organiser=True)
    (quote,) = _facts(exported)["quotes"]
    assert (quote["member"], quote["text"]) == ("Bo", "Tobias hid the ledger under the")
    assert [choice.label for choice in exported.choices] == ["Forget this club"]
    asked = await house.press(exported.choices[0], organiser=True)
    assert asked.text.startswith("Forget all readings")


async def test_it_is_for_organisers() -> None:
    with pytest.raises(NotPermittedError):
        await (await _house(6)).use("export")


def test_what_it_holds_can_be_read_by_both() -> None:
    answer = KeptAnswer(at=_AT, page=3, asker="", question="Who was it?", answer="> He did.")
    moves = (PageMove(at=_AT, page=3), PageMove(at=_AT, page=None))
    archive = Archive(moves=moves, answers=(answer,), sealed_items=(a_prediction("r_1", opens_at=3),))
    assert json.loads(archive_json("Ä Book", archive)) == archive_facts("Ä Book", archive)
    text = archive_text("Ä Book", archive)
    assert text.startswith("# Ä Book\n\n## Predictions\n\n")
    assert "- 2026-03-01: p. 3\n- 2026-03-01: no page" in text
    assert text.endswith("**Someone** (2026-03-01, p. 3): Who was it?\n\n> He did.\n")
    assert archive_text("Ä Book", Archive()) == "# Ä Book\n"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Treasure Island", "treasure-island"),
        ("../../etc/passwd", "etc-passwd"),
        ("Alice's “Adventures”: 1_2", "alice-s-adventures-1-2"),
        ("Преступление и наказание", "преступление-и-наказание"),
        ("...", "book"),
        ("x" * 200, "x" * 60),
    ],
)
def test_a_title_becomes_the_name_of_a_file(title: str, name: str) -> None:
    assert file_name(title) == name
