"""What the calls of a turn cost together."""

from core.answering.costs import cost_of_calls
from core.domain.tool_use import TokenUsage
from tests.unit.world import price


def test_one_unknown_price_makes_the_sum_unknown() -> None:
    one = TokenUsage(input_tokens=1000)
    assert cost_of_calls({"scripted-1": [one], "nobody's": [one]}, "scripted-1", price) is None
    assert cost_of_calls({}, None, price) is None
