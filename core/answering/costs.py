"""Computes what the model calls of a turn cost."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from core.domain.tool_use import TokenUsage

CallPrice = Callable[[str, TokenUsage], Decimal | None]
"""Takes a model's name and the tokens of one call; returns US dollars, or None where the price is unknown."""


def cost_of_calls(of_models: Mapping[str, Sequence[TokenUsage]], model: str | None, price: CallPrice) -> Decimal | None:
    """Return the cost of all calls of a turn in US dollars; None if the price of one of them is unknown.

    `of_models` maps each model's name to the token usage of its calls. An empty name stands for `model`.
    """
    calls = [(name or model, usage) for name, usages in of_models.items() for usage in usages]
    total = Decimal()
    for name, usage in calls or [(model, TokenUsage())]:
        cost = price(name, usage) if name else None
        if cost is None:
            return None
        total += cost
    return total


def unknown_price(_model: str, _usage: TokenUsage) -> None:
    """Return None: a CallPrice that knows no prices."""
