"""What the documents say a model costs follows from the measured tokens and the prices that are installed."""

import re

from adapters.llm.prices import call_price
from bot.providers import DEFAULT_ANTHROPIC_MODEL, DEFAULT_OPENAI_MODEL
from core.domain.tool_use import TokenUsage
from tests.architecture.source import ROOT

_PAGE = (ROOT / "docs" / "costs.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| `([\w.-]+)`[^|]*\| \$([\d.]+) \| \$([\d.]+) \|$", re.MULTILINE)


def _said(before: str) -> int:
    """The number that stands behind, or before, some words of the page."""
    (number,) = re.findall(before, _PAGE)
    return int(number.replace(",", ""))


def test_a_month_costs_what_its_tokens_cost() -> None:
    turns, tokens = _said(r"([\d,]+) turns"), _said(r"takes ([\d,]+) tokens in")
    cached, out = _said(r"([\d,]+) of them from the cache"), _said(r"assume ([\d,]+) tokens out")
    rows = _ROW.findall(_PAGE)
    assert {DEFAULT_ANTHROPIC_MODEL, DEFAULT_OPENAI_MODEL} < {model for model, *_ in rows}
    for model, *shown in rows:
        for dollars, read in zip(shown, (cached, 0), strict=True):
            price = call_price(model, TokenUsage(input_tokens=tokens, cache_read_tokens=read, output_tokens=out))
            assert price is not None
            assert dollars == f"{price * turns:.2f}", model


def test_the_tokens_are_those_that_were_measured() -> None:
    measured = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    tokens, cached = _said(r"takes ([\d,]+) tokens in"), _said(r"([\d,]+) of them from the cache")
    assert f"{tokens:,} tokens in, {cached:,} of them cached" in measured
