"""The price of a call, from the list in genai-prices."""

from decimal import Decimal

import pytest

from adapters.llm.prices import call_price
from bot.providers import DEFAULT_ANTHROPIC_MODEL, DEFAULT_OPENAI_MODEL
from core.domain.tool_use import TokenUsage


@pytest.mark.parametrize("model", [DEFAULT_ANTHROPIC_MODEL, DEFAULT_OPENAI_MODEL])
def test_the_default_models_have_a_price(model: str) -> None:
    cost = call_price(model, TokenUsage(input_tokens=1000))
    assert cost is not None
    assert cost > 0


@pytest.mark.parametrize("model", ["claude-haiku-5-5", "claude-haiku-5-5-20261001", "gpt-6-luna-2026-09-22"])
def test_cached_tokens_are_counted_once_and_a_snapshot_costs_what_its_model_does(model: str) -> None:
    usage = TokenUsage(input_tokens=10_000, cache_read_tokens=6_000, cache_write_tokens=3_000, output_tokens=1_000)
    assert call_price(model, usage) == Decimal("0.001035")


@pytest.mark.parametrize("model", ["llama3.3:70b", "", "gpt-9-nobody", "claude", "a" * 300, "modèle\x00"])
def test_an_unknown_model_has_no_price(model: str) -> None:
    assert call_price(model, TokenUsage(input_tokens=1000)) is None
