"""What a club cost is known as long as every turn that took tokens has its price."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMErrorCode
from core.domain.tool_use import TokenUsage
from core.ports.turn_record import TurnEnd
from tests.contracts.stores import Stores

pytestmark = pytest.mark.parametrize("stores", ["sql"], indirect=True)
_USED, _NOTHING = TokenUsage(input_tokens=70, output_tokens=7), TokenUsage()


async def _spent(stores: Stores) -> int | None:
    since = datetime.now(UTC) - timedelta(days=1)
    return (await stores.clubs.usage(scope="local", place="club", since=since)).cost_micro_usd


async def _ended(
    stores: Stores,
    *,
    used: TokenUsage = _NOTHING,
    cost: Decimal | None = None,
    error_code: LLMErrorCode | None = None,
) -> None:
    outcome = TurnOutcome(text="Ada.", usage=used)
    await stores.end(await stores.begin(), TurnEnd(outcome=outcome, messages=(), cost=cost, error_code=error_code))


async def test_a_turn_whose_price_is_not_known_does(stores: Stores) -> None:
    await _ended(stores, used=_USED, cost=Decimal("0.02"))
    await _ended(stores, used=_USED)
    assert await _spent(stores) is None


async def test_turns_in_which_nobody_asked_are_no_questions_and_what_they_took_is_told_apart(stores: Stores) -> None:
    await _ended(stores, used=_USED, cost=Decimal("0.02"))
    idle = TurnOutcome(text="", nobody_asked=True, usage=_USED)
    await stores.end(await stores.begin("lol"), TurnEnd(outcome=idle, messages=(), cost=Decimal("0.01")))
    used = await stores.clubs.usage(scope="local", place="club", since=datetime.now(UTC) - timedelta(days=1))
    assert (used.turns, used.answered, used.idle_tokens, used.input_tokens) == (1, 1, 77, 140)
    assert used.cost_micro_usd == 30_000


async def test_what_all_clubs_cost_leaves_out_unknown_prices_and_earlier_turns(stores: Stores) -> None:
    began = datetime.now(UTC)
    assert await stores.clubs.spent_micro_usd(since=began) == 0
    await _ended(stores, used=_USED, cost=Decimal("0.02"))
    await _ended(stores, used=_USED)
    await _ended(stores, used=_USED, cost=Decimal("0.01"), error_code=LLMErrorCode.BAD_RESPONSE)
    assert await stores.clubs.spent_micro_usd(since=began) == 30_000
    assert await stores.clubs.spent_micro_usd(since=datetime.now(UTC)) == 0
