"""What a model's tokens cost, as far as that is known; for the wiring."""

from dataclasses import replace
from importlib.resources import files

from adapters.llm.openai import OpenAIChatProvider
from bot.providers import ModelProvider
from core.app.costs import PriceTable, read_prices


def price_table(model: ModelProvider | None) -> PriceTable:
    """Read the prices that come with the program; those of a provider's own do not hold on a compatible server."""
    prices = read_prices(files("adapters.llm").joinpath("prices.toml").read_text(encoding="utf-8"))
    return replace(prices, models={}) if isinstance(model, OpenAIChatProvider) and not model.native else prices
