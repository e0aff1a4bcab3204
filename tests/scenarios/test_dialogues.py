"""Every dialogue of fixtures/dialogues through the wired house, over both model wires: the same must come of it."""

import pytest

from tests.scenarios.conftest import Opened
from tests.scenarios.dialogues import dialogue, dialogue_names
from tests.scenarios.wires import WIRES


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("name", dialogue_names())
async def test_a_dialogue_comes_out_as_written(opened: Opened, name: str, wire: str) -> None:
    played = dialogue(name)
    player = await opened(wire, **played.settings)
    for turn in played.turns:
        await player.turn(turn)


@pytest.mark.parametrize("wire", WIRES)
async def test_it_comes_out_the_same_where_nobody_listens_to_events(opened: Opened, wire: str) -> None:
    played = dialogue("search-then-answer")
    player = await opened(wire, watched=False, **played.settings)
    for turn in played.turns:
        await player.turn(turn)
