"""Embeddings through the real SDK against OpenAI's wire on loopback: batches, order, refusals, ids, budgets."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack

import numpy as np
import pytest

from adapters.llm.openai_embedding import OpenAIEmbeddingProvider
from core.domain.errors import LLMError, LLMErrorCode
from tests.servers.openai_server import EMBEDDINGS, OpenAIServer, error_reply
from tests.servers.scripted import Reply, json_reply

Made = Callable[..., OpenAIEmbeddingProvider]
AT_ONCE = {"retry-after-ms": "1"}


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as server:
        yield server


@pytest.fixture
async def made(server: OpenAIServer) -> AsyncIterator[Made]:
    async with AsyncExitStack() as stack:

        def make(*, dimensions: int = 3) -> OpenAIEmbeddingProvider:
            provider = OpenAIEmbeddingProvider(
                api_key="k", model="nomic-embed-text", base_url=server.base_url, dimensions=dimensions
            )
            stack.push_async_callback(provider.close)
            return provider

        yield make


def vectors_reply(*vectors: Sequence[float], order: Sequence[int] | None = None) -> Reply:
    places = range(len(vectors)) if order is None else order
    data = [{"object": "embedding", "index": place, "embedding": vectors[place]} for place in places]
    return json_reply({"object": "list", "data": data, "model": "nomic-embed-text", "usage": {"prompt_tokens": 3}})


def sent(server: OpenAIServer) -> list[list[str]]:
    return [request.json()["input"] for request in server.requests]


async def test_vectors_come_in_the_order_of_the_texts_and_have_length_one(server: OpenAIServer, made: Made) -> None:
    server.will_answer(EMBEDDINGS, vectors_reply([3, 0, 4], [0, 2, 0], [0, 0, 0], order=[2, 0, 1]))
    vectors = await made().embed(["one", "two", "three"])
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [pytest.approx([0.6, 0.0, 0.8]), [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    assert server.requests[0].json() == {
        "model": "nomic-embed-text",
        "input": ["one", "two", "three"],
        "encoding_format": "float",
    }


async def test_a_request_has_at_most_64_texts(server: OpenAIServer, made: Made) -> None:
    texts = [f"passage {number}" for number in range(150)]
    for size in (64, 64, 22):
        server.will_answer(EMBEDDINGS, vectors_reply(*[[1, 0, 0]] * size))
    assert (await made().embed(texts)).shape == (150, 3)
    assert sent(server) == [texts[:64], texts[64:128], texts[128:]]


async def test_long_texts_are_cut_and_share_requests_within_a_budget_of_bytes(server: OpenAIServer, made: Made) -> None:
    texts = ["é" * 30_000, "lamp \ud800oil"] + ["x" * 30_000] * 20
    server.will_answer(EMBEDDINGS, vectors_reply(*[[1, 0, 0]] * 15), vectors_reply(*[[0, 1, 0]] * 7))
    vectors = await made().embed(texts)
    assert vectors[:, 0].tolist() == [1] * 15 + [0] * 7
    first = sent(server)[0]
    assert first[:2] == ["é" * 4_000, "lamp ?oil"]
    for batch in sent(server):
        assert sum(len(text.encode()) for text in batch) <= 120_000
        assert max(len(text.encode()) for text in batch) <= 8_000


async def test_empty_texts_are_zeros_and_are_never_sent(server: OpenAIServer, made: Made) -> None:
    server.will_answer(EMBEDDINGS, vectors_reply([0, 0, 2]))
    vectors = await made().embed(["", " \n\t", "lamp oil", ""])
    assert vectors.tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert sent(server) == [["lamp oil"]]
    assert (await made().embed([])).shape == (0, 3)
    assert (await made().embed(["", ""])).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (vectors_reply([1, 0, 0]), "1 vectors for 2 texts"),
        (vectors_reply([1, 0, 0], [1, 0, 0], [1, 0, 0]), "3 vectors for 2 texts"),
        (vectors_reply([1, 0], [1, 0]), "2 dimensions, not 3"),
        (vectors_reply([1, 0, 0], [1, 0, 0, 0]), "4 dimensions, not 3"),
        (vectors_reply([1, 0, 0], [1, 0, 0], order=[0, 0]), "numbers do not match"),
        (json_reply({"data": [{"index": 1, "embedding": [1, 0, 0]}, {"index": 2, "embedding": [1, 0, 0]}]}), "match"),
        (json_reply({"data": [{"index": "a", "embedding": [1, 0, 0]}, {"index": 1, "embedding": [1, 0, 0]}]}), "match"),
        (json_reply({"data": [{"embedding": "AACAPwAAAAA="}, {"embedding": "AACAPwAAAAA="}]}), "no list"),
        (json_reply({"data": [{"embedding": ["x", 0, 0]}, {"embedding": [1, 0, 0]}]}), "bad_response"),
        (json_reply({"data": [{"embedding": [[1], 0, 0]}, {"embedding": [1, 0, 0]}]}), "bad_response"),
        (json_reply({"data": [{"embedding": [None, 0, 0]}, {"embedding": [1, 0, 0]}]}), "bad_response"),
        (Reply(body=b'{"data": [{"embedding": [NaN, 0, 0]}, {"embedding": [1, 0, 0]}]}'), "bad_response"),
        (Reply(body=b'{"data": [{"embedding": [1e999, 0, 0]}, {"embedding": [1, 0, 0]}]}'), "bad_response"),
        (json_reply({"data": ["x", "y"]}), "2 vectors"),
        (json_reply({"data": None}), "no vectors"),
        (json_reply([]), "no vectors"),
        (json_reply({"error": {"message": "no such model"}}), "no vectors"),
        (Reply(body=b"<html>", content_type="text/html"), "bad_response"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_an_answer_that_does_not_match_the_request_is_refused(
    server: OpenAIServer, made: Made, reply: Reply, said: str
) -> None:
    server.will_answer(EMBEDDINGS, reply)
    with pytest.raises(LLMError, match=said) as caught:
        await made().embed(["one", "two"])
    assert caught.value.code is LLMErrorCode.BAD_RESPONSE
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (error_reply(401, "Incorrect API key provided"), "auth"),
        (error_reply(404, "model not found"), "unavailable"),
        (error_reply(429, "Slow down", headers={"Retry-After": "3600"}), "rate_limited"),
        (error_reply(400, "This model's maximum context length is 512 tokens"), "context_too_long"),
    ],
    ids=["401", "404", "429", "400"],
)
async def test_a_fault_is_an_llm_error_and_ends_the_call_at_once(
    server: OpenAIServer, made: Made, reply: Reply, code: str
) -> None:
    server.will_answer(EMBEDDINGS, reply)
    with pytest.raises(LLMError) as caught:
        await made().embed(["lamp oil"])
    assert caught.value.code == code


async def test_a_batch_is_tried_again_up_to_four_times_each_with_its_own_budget(
    server: OpenAIServer, made: Made
) -> None:
    fault = error_reply(503, "overloaded", headers=AT_ONCE)
    server.will_answer(EMBEDDINGS, *[fault] * 4, vectors_reply(*[[1, 0, 0]] * 64))
    server.will_answer(EMBEDDINGS, *[fault] * 4, vectors_reply([0, 1, 0]))
    vectors = await made().embed(["passage"] * 65)
    assert vectors[[0, 64]].tolist() == [[1, 0, 0], [0, 1, 0]]
    assert len(server.requests) == 10


@pytest.mark.parametrize(
    ("model", "base_url", "dimensions", "model_id"),
    [
        ("text-embedding-3-small", None, None, "openai-text-embedding-3-small-1536"),
        ("text-embedding-3-large", None, 256, "openai-text-embedding-3-large-256"),
        ("nomic-embed-text", "http://localhost:11434/v1", 768, "openai-localhost-nomic-embed-text-768"),
    ],
)
def test_the_id_is_known_before_any_call_and_names_server_model_and_dimensions(
    model: str, base_url: str | None, dimensions: int | None, model_id: str
) -> None:
    provider = OpenAIEmbeddingProvider(api_key=None, model=model, base_url=base_url, dimensions=dimensions)
    assert provider.model_id == model_id


@pytest.mark.parametrize(
    ("model", "base_url", "dimensions", "asked"),
    [
        ("text-embedding-3-large", None, 256, 256),
        ("text-embedding-3-large", None, 3072, None),
        ("text-embedding-3-small", None, None, None),
        ("text-embedding-3-small", "http://localhost:8080/v1", 512, None),
        ("nomic-embed-text", "http://localhost:11434/v1", 768, None),
    ],
)
def test_shorter_vectors_are_asked_for_only_where_the_model_is_known_to_make_them(
    model: str, base_url: str | None, dimensions: int | None, asked: int | None
) -> None:
    provider = OpenAIEmbeddingProvider(api_key=None, model=model, base_url=base_url, dimensions=dimensions)
    assert provider._parameters(["lamp oil"]).get("dimensions") == asked
