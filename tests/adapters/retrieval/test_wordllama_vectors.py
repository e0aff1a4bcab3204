"""The default embedding works offline, gives unit vectors for any text, and keeps the log quiet."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np
import pytest

from adapters.retrieval.wordllama_embedding import WordLlamaEmbeddingProvider, wordllama_is_installed

Given = ParamSpec("Given")
Result = TypeVar("Result")
pytestmark = pytest.mark.skipif(not wordllama_is_installed(), reason="no wheel for this Python")

_QUIET = """
import asyncio, logging, socket
from concurrent.futures import ThreadPoolExecutor

def refuse(*_args, **_kwargs):
    raise OSError("no network")

socket.socket.connect = refuse
socket.getaddrinfo = refuse
from adapters.retrieval.wordllama_embedding import WordLlamaEmbeddingProvider

provider = WordLlamaEmbeddingProvider(workers=ThreadPoolExecutor(1))
print(asyncio.run(provider.embed(["the locked room"])).shape, logging.getLogger().handlers)
logging.getLogger("somebody.else").info("an INFO line of somebody else")
"""


@pytest.fixture(scope="module")
def provider() -> Iterator[WordLlamaEmbeddingProvider]:
    with ThreadPoolExecutor(max_workers=2) as workers:
        yield WordLlamaEmbeddingProvider(workers=workers)


def test_it_loads_without_a_network_and_without_a_line_in_the_log() -> None:
    run = subprocess.run(
        [sys.executable, "-c", _QUIET],
        capture_output=True,
        check=False,
        text=True,
        cwd=Path(__file__).parents[3],
        timeout=60,
    )
    assert (run.stdout, run.stderr, run.returncode) == ("(1, 256) []\n", "", 0)


@pytest.mark.parametrize(
    "text",
    [
        "The weighbridge at Garsby Haven.",
        "x",
        "word " * 20_000,
        "x" * 100_000,
        "🎉🎉🎉",
        "夜の本",
        "\ud800 half a pair \udfff",
        "a\x00b\x1b",
    ],
    ids=lambda text: ascii(text[:12]),
)
async def test_every_text_with_a_token_gives_a_unit_vector(provider: WordLlamaEmbeddingProvider, text: str) -> None:
    vectors = await provider.embed([text])
    assert vectors.shape == (1, 256)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors[0]) == pytest.approx(1, abs=1e-5)


async def test_an_empty_text_gives_finite_numbers_and_no_text_no_row(provider: WordLlamaEmbeddingProvider) -> None:
    blank = await provider.embed(["", "   ", "\n"])
    assert blank.shape == (3, 256)
    assert np.isfinite(blank).all()
    assert (await provider.embed([])).shape == (0, 256)


async def test_a_text_has_one_vector_in_whatever_batch_it_comes(provider: WordLlamaEmbeddingProvider) -> None:
    texts = [f"Sentence {number} of a book about the sea." * (1 + number % 4) for number in range(40)]
    together = await provider.embed(texts)
    alone = np.concatenate([await provider.embed([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-5


async def test_what_is_alike_lies_nearer(provider: WordLlamaEmbeddingProvider) -> None:
    near, same, far = await provider.embed(["a small boat on the sea", "a ship on the ocean", "the price of wheat"])
    assert near @ same > near @ far


def test_the_model_is_named_with_version_and_dimensions(provider: WordLlamaEmbeddingProvider) -> None:
    assert provider.model_id.startswith("wordllama-")
    assert provider.model_id.endswith("-256")


async def test_a_question_goes_to_no_worker_once_the_model_is_loaded() -> None:
    question, page = "Who lit the lamp?", "The keeper lit the lamp of the lighthouse every evening. " * 40
    with _CountingWorkers(max_workers=1) as workers:
        own = WordLlamaEmbeddingProvider(workers=workers)
        first = await own.embed([question])
        assert workers.given == 1
        assert np.array_equal(await own.embed([question]), first)
        assert workers.given == 1
        await own.embed([page])
        assert workers.given == 2


class _CountingWorkers(ThreadPoolExecutor):
    """Counts what it is given to do."""

    given = 0

    def submit(self, fn: Callable[Given, Result], /, *args: Given.args, **kwargs: Given.kwargs) -> Future[Result]:
        self.given += 1
        return super().submit(fn, *args, **kwargs)
