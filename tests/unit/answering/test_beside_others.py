"""Others may write to a conversation between a question and its answer; what is answered is the question."""

from datetime import datetime

import pytest

from core.domain.conversation import Role
from core.domain.question import IncomingMessage
from core.ports.turn_record import BegunTurn, NoReading
from tests.builders import BO, a_message, says
from tests.fakes.fixtures import Scripted
from tests.unit.world import World, question_in

_BESIDE = (
    a_message("Where was the ledger hidden?", author=BO),
    a_message("Under the coal (p. 3).", role=Role.ASSISTANT, position=3),
)


async def test_the_question_is_what_is_answered_whoever_writes_beside_it(
    world: World, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider, begin = scripted(says("Ada carried it (p. 1).")), world.record.begin

    async def begin_beside_others(message: IncomingMessage, *, now: datetime, latest: int) -> BegunTurn | NoReading:
        begun = await begin(message, now=now, latest=latest)
        await world.remember(conversation, *_BESIDE)
        return begun

    monkeypatch.setattr(world.record, "begin", begin_beside_others)
    conversation = await world.reading(position=3)
    await world.chat(provider).execute(conversation.conversation_id, "Who carried the compass?")
    last = provider.asked[0].messages[-1]
    assert (last.role, question_in(last)) == ("user", "Who carried the compass?")
