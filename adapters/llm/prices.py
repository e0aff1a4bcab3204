"""The prices of calls to Anthropic's and OpenAI's models, from the list of genai-prices.

Source: https://github.com/pydantic/genai-prices. The list loads at first use, since that takes half a second.
"""

from decimal import Decimal

from core.domain.tool_use import TokenUsage


def call_price(model: str, usage: TokenUsage) -> Decimal | None:
    """Return the price of one call in US dollars; None if the model isn't in the list."""
    from genai_prices import Usage, calc_price

    cached = usage.cache_read_tokens + usage.cache_write_tokens
    tokens = Usage(
        input_tokens=max(usage.input_tokens, cached),
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        output_tokens=usage.output_tokens,
    )
    provider = "anthropic" if model.startswith("claude") else "openai"
    try:
        return calc_price(tokens, model_ref=model, provider_id=provider).total_price
    except LookupError:
        return None
