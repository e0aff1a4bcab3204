"""What model calls cost, from the price table that `bot/providers.py` reads; `prices.toml` says where it comes from."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from core.domain.errors import SettingsError
from core.domain.tool_use import TokenUsage

_MILLION = Decimal(1_000_000)
_SNAPSHOT = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8})\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """US dollars for a million tokens."""

    input: Decimal
    cache_read: Decimal
    cache_write: Decimal
    output: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPrice:
    """A model's rates, and those of calls whose whole input exceeds `long_over` tokens, where these differ."""

    rates: Rates
    long_over: int | None = None
    long_rates: Rates | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceTable:
    """Prices by the model's name, as they were on a day."""

    as_of: date
    models: Mapping[str, ModelPrice]

    def of(self, model: str) -> ModelPrice | None:
        """Return a model's price; a dated snapshot costs what its model does unless it is listed itself."""
        return self.models.get(model) or self.models.get(_SNAPSHOT.sub("", model))


def read_prices(text: str) -> PriceTable:
    """Read the table.

    Raises:
        SettingsError: the text is no such table; the sentence names the entry.
    """
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"The price table cannot be read: {error}.") from None
    as_of, models = data.get("as_of"), data.get("models")
    if not isinstance(as_of, date) or not isinstance(models, dict):
        raise SettingsError("A price table has a date `as_of` and entries under `models`.")
    return PriceTable(as_of=as_of, models={name: _price(name, entry) for name, entry in models.items()})


def cost_of(usage: TokenUsage, model: str | None, prices: PriceTable, *, calls: int = 1) -> Decimal | None:
    """Return the US dollars that the usage of one or more calls costs; None where that is not known.

    Where long prompts cost more and the sum of several calls exceeds their limit, it is not known which were long.
    """
    price = prices.of(model) if model else None
    if price is None:
        return None
    rates = price.rates
    if price.long_over is not None and price.long_rates is not None and usage.input_tokens > price.long_over:
        if calls > 1:
            return None
        rates = price.long_rates
    plain = max(usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens, 0)
    total = (
        plain * rates.input
        + usage.cache_read_tokens * rates.cache_read
        + usage.cache_write_tokens * rates.cache_write
        + usage.output_tokens * rates.output
    )
    return total / _MILLION


def cost_of_calls(
    of_models: Mapping[str, Sequence[TokenUsage]], model: str | None, prices: PriceTable
) -> Decimal | None:
    """Return the US dollars that all calls of a turn cost, each by its own model's price; None where one is not known.

    A call that does not name its model was the turn's `model`.
    """
    costs = [cost_of(usage, name or model, prices) for name, calls in of_models.items() for usage in calls]
    if not costs:
        return cost_of(TokenUsage(), model, prices)
    known = [cost for cost in costs if cost is not None]
    return sum(known, Decimal()) if len(known) == len(costs) else None


def _price(name: str, entry: object) -> ModelPrice:
    if not isinstance(entry, dict):
        raise SettingsError(f"The price of {name} is no table.")
    long = entry.get("long")
    if long is None:
        return ModelPrice(rates=_rates(name, entry))
    over = long.get("over") if isinstance(long, dict) else None
    if not isinstance(over, int) or isinstance(over, bool):
        raise SettingsError(f"The long prompts of {name} need `over`, in tokens.")
    return ModelPrice(rates=_rates(name, entry), long_over=over, long_rates=_rates(name, long))


def _rates(name: str, entry: Mapping[str, object]) -> Rates:
    """Where a provider names no price of its own for cached tokens, they cost what input costs."""
    return Rates(
        input=_amount(name, entry, "input"),
        cache_read=_amount(name, entry, "cache_read", otherwise="input"),
        cache_write=_amount(name, entry, "cache_write", otherwise="input"),
        output=_amount(name, entry, "output"),
    )


def _amount(name: str, entry: Mapping[str, object], key: str, *, otherwise: str | None = None) -> Decimal:
    value = entry.get(key, entry.get(otherwise) if otherwise else None)
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise SettingsError(f"The price of {name} needs `{key}`, in US dollars for a million tokens.")
    amount = Decimal(value)
    if not amount.is_finite() or amount < 0:
        raise SettingsError(f"The price of {name} has a `{key}` that is no price.")
    return amount
