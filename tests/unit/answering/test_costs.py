"""What calls cost: the arithmetic over a table of the test's own, and the table that comes with the program."""

from decimal import Decimal
from pathlib import Path

import pytest

import adapters.llm
from core.answering.costs import PriceTable, cost_of, cost_of_calls, read_prices
from core.domain.errors import SettingsError
from core.domain.tool_use import TokenUsage

SHIPPED = Path(adapters.llm.__file__).parent / "prices.toml"

TABLE = """
as_of = 2026-11-21
[models.plain]
input = 2
output = 10.5
[models.cached]
input = 1.0
cache_read = 0.1
cache_write = 1.25
output = 5.0
[models.cached-20250101]
input = 9.0
output = 9.0
[models.tiered]
input = 1.0
output = 4.0
long = { over = 1_000, input = 2.0, output = 6.0 }
"""


@pytest.fixture(scope="module")
def prices() -> PriceTable:
    return read_prices(TABLE)


@pytest.mark.parametrize(
    ("model", "usage", "dollars"),
    [
        ("plain", TokenUsage(input_tokens=1_000_000, output_tokens=1_000_000), "12.5"),
        ("plain", TokenUsage(), "0"),
        # Without a price of their own, cached tokens cost what others do.
        ("plain", TokenUsage(input_tokens=1000, cache_read_tokens=400, cache_write_tokens=600), "0.002"),
        # Cached tokens are part of the input and are not counted twice: 100 plain, 800 read, 100 written.
        (
            "cached",
            TokenUsage(input_tokens=1000, cache_read_tokens=800, cache_write_tokens=100, output_tokens=10),
            "0.000355",
        ),
        # A server that counts more cached tokens than input never makes a call cheaper than nothing.
        ("cached", TokenUsage(input_tokens=10, cache_read_tokens=1000), "0.0001"),
        ("tiered", TokenUsage(input_tokens=1000, output_tokens=100), "0.0014"),
        ("tiered", TokenUsage(input_tokens=1001, output_tokens=100), "0.002602"),
    ],
)
def test_the_cost_is_exact_to_the_last_digit(prices: PriceTable, model: str, usage: TokenUsage, dollars: str) -> None:
    assert cost_of(usage, model, prices) == Decimal(dollars)


@pytest.mark.parametrize(
    ("model", "dollars"),
    [
        ("cached-2026-03-17", "0.001"),
        ("cached-20251001", "0.001"),
        ("cached-20250101", "0.009"),
        ("cached-mini", None),
        ("cached-2026", None),
        ("CACHED", None),
        ("llama3.3:70b", None),
        ("", None),
        (None, None),
    ],
)
def test_a_snapshot_costs_what_its_model_does_and_an_unknown_model_has_no_price(
    prices: PriceTable, model: str | None, dollars: str | None
) -> None:
    expected = None if dollars is None else Decimal(dollars)
    assert cost_of(TokenUsage(input_tokens=1000), model, prices) == expected


@pytest.mark.parametrize(("tokens", "calls", "dollars"), [(1000, 3, "0.001"), (1001, 3, None), (1001, 1, "0.002002")])
def test_the_sum_of_several_calls_has_no_price_where_one_of_them_may_have_been_long(
    prices: PriceTable, tokens: int, calls: int, dollars: str | None
) -> None:
    cost = cost_of(TokenUsage(input_tokens=tokens), "tiered", prices, calls=calls)
    assert cost == (None if dollars is None else Decimal(dollars))


def test_each_call_of_a_turn_costs_what_its_own_model_does(prices: PriceTable) -> None:
    one = TokenUsage(input_tokens=1000)
    assert cost_of_calls({"tiered": [one, one], "": [one]}, "tiered", prices) == 3 * Decimal("0.001")
    assert cost_of_calls({"tiered": [one], "nobody's": [one]}, "tiered", prices) is None
    assert cost_of_calls({}, "tiered", prices) == 0
    assert cost_of_calls({}, None, prices) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("as_of = ", "cannot be read"),
        ("[models]", "as_of"),
        ("as_of = 2026-11-21", "as_of"),
        ("as_of = 2026-11-21\n[models]\nm = 3", "m"),
        ("as_of = 2026-11-21\n[models.m]\ninput = 1.0", "output"),
        ("as_of = 2026-11-21\n[models.m]\noutput = 1.0", "input"),
        ("as_of = 2026-11-21\n[models.m]\ninput = true\noutput = 1.0", "input"),
        ("as_of = 2026-11-21\n[models.m]\ninput = '1'\noutput = 1.0", "input"),
        ("as_of = 2026-11-21\n[models.m]\ninput = -1.0\noutput = 1.0", "input"),
        ("as_of = 2026-11-21\n[models.m]\ninput = nan\noutput = 1.0", "input"),
        ("as_of = 2026-11-21\n[models.m]\ninput = 1\noutput = 1\nlong = 3", "over"),
        ("as_of = 2026-11-21\n[models.m]\ninput = 1\noutput = 1\nlong = { over = 1, input = 2 }", "output"),
    ],
)
def test_a_table_that_is_wrong_is_refused_by_the_name_of_the_entry(text: str, names: str) -> None:
    with pytest.raises(SettingsError, match=names):
        read_prices(text)


def test_the_shipped_table_prices_a_turn_as_the_providers_pages_do() -> None:
    shipped = read_prices(SHIPPED.read_text("utf-8"))
    usage = TokenUsage(input_tokens=10_000, cache_read_tokens=6_000, cache_write_tokens=3_000, output_tokens=1_000)
    assert cost_of(usage, "claude-haiku-5-5", shipped) == Decimal("0.001035")
    assert cost_of(usage, "gpt-6-luna-2026-09-22", shipped) == Decimal("0.001035")
    assert cost_of(usage, "gpt-6-astra", shipped) is None


def test_in_the_shipped_table_reading_a_cache_is_never_dearer_than_input_nor_long_prompts_cheaper() -> None:
    models = read_prices(SHIPPED.read_text("utf-8")).models
    assert len(models) > 20
    for name, price in models.items():
        assert price.rates.cache_read <= price.rates.input <= price.rates.cache_write, name
        assert price.long_rates is None or price.long_rates.input > price.rates.input, name
