"""Others may write to a conversation between a question and its answer; what is answered is the question."""

from core.domain.conversation import ChatMessage, Role
from tests.builders import BO, a_message, says
from tests.fakes.conversations import InMemoryChatMessageRepository
from tests.fakes.fixtures import Scripted
from tests.unit.world import World, question_in

_BESIDE = (
    a_message("Where was the ledger hidden?", author=BO),
    a_message("Under the coal (p. 3).", role=Role.ASSISTANT, position=3),
)


class BusyMessages(InMemoryChatMessageRepository):
    """Another process stores its turn right behind the first message that is stored here."""

    def __init__(self, *beside: ChatMessage) -> None:
        super().__init__()
        self._beside = beside

    async def add(self, conversation_id: str, *messages: ChatMessage, turn_id: int | None = None) -> None:
        await super().add(conversation_id, *messages, turn_id=turn_id)
        beside, self._beside = self._beside, ()
        if beside:
            await super().add(conversation_id, *beside)


async def test_the_question_is_what_is_answered_whoever_writes_beside_it(scripted: Scripted) -> None:
    world, provider = World(), scripted(says("Ada carried it (p. 1)."))
    world.messages = BusyMessages(*_BESIDE)
    conversation = await world.reading(position=3)
    await world.chat(provider).execute(conversation.conversation_id, "Who carried the compass?")
    last = provider.asked[0].messages[-1]
    assert (last.role, question_in(last)) == ("user", "Who carried the compass?")
    assert "coal" not in last.content
