"""What calls to Anthropic's and OpenAI's models cost, from the price list of genai-prices.

Source: https://github.com/pydantic/genai-prices. Loading the list takes half a second, so it happens on first use.
"""

from decimal import Decimal

from core.domain.tool_use import TokenUsage


def call_price(model: str, usage: TokenUsage) -> Decimal | None:
    """Return the US dollars of one call; None if the model isn't in the list."""
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
