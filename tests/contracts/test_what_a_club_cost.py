"""What a club cost is known as long as every turn that took tokens has its price."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMErrorCode
from core.domain.tool_use import TokenUsage
from tests.contracts.stores import Stores

pytestmark = pytest.mark.parametrize("stores", ["sql"], indirect=True)
_USED = TokenUsage(input_tokens=70, output_tokens=7)


async def _spent(stores: Stores) -> int | None:
    since = datetime.now(UTC) - timedelta(days=1)
    return (await stores.clubs.usage(scope="local", place="club", since=since)).cost_micro_usd


async def _open(stores: Stores) -> int:
    conversation = await stores.conversation()
    return (await stores.turns.open(conversation.conversation_id, user_query="Who?", position=2)).turn_id


async def test_turns_that_took_no_tokens_hide_the_cost_of_no_other(stores: Stores) -> None:
    answered, away, failed, _still_open = [await _open(stores) for _ in range(4)]
    await stores.turns.answered(answered, TurnOutcome(text="Ada.", usage=_USED), duration_ms=1, cost=Decimal("0.02"))
    await stores.turns.answered(away, TurnOutcome(text="That one is beyond me."), duration_ms=1)
    await stores.turns.failed(failed, LLMErrorCode.BUDGET_SPENT, usage=TokenUsage(), duration_ms=1)
    assert await _spent(stores) == 20_000


async def test_a_turn_whose_price_is_not_known_does(stores: Stores) -> None:
    priced, unpriced = [await _open(stores) for _ in range(2)]
    await stores.turns.answered(priced, TurnOutcome(text="Ada.", usage=_USED), duration_ms=1, cost=Decimal("0.02"))
    await stores.turns.answered(unpriced, TurnOutcome(text="Ada.", usage=_USED), duration_ms=1)
    assert await _spent(stores) is None
