"""JSON has no infinity: one that a model writes must not reach a store or a provider."""

import json

import pytest

from adapters.llm.arguments import readable_arguments


@pytest.mark.parametrize("written", ["1e999", "-1e999", "[1e400]", '{"deep": 1e400}'])
def test_a_number_that_is_read_as_infinite_is_left_out(written: str) -> None:
    read = readable_arguments(f'{{"query": "compass", "top_k": {written}}}')
    assert read["query"] == "compass"
    json.dumps(read, allow_nan=False)
