"""What every EmbeddingProvider does."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from adapters.retrieval.minilm_embedding import MiniLmEmbeddingProvider
from core.ports.embedding_provider import EmbeddingProvider
from tests.builders import STORY
from tests.fakes.embedding_provider import HashEmbeddingProvider
from tests.tiny_minilm import make_tiny_minilm


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddingProvider]:
    """The model is loaded once for all tests."""
    folder = make_tiny_minilm(tmp_path_factory.mktemp("models") / "minilm", STORY)
    with ThreadPoolExecutor(max_workers=2) as workers:
        yield MiniLmEmbeddingProvider(folder, workers=workers)


@pytest.fixture(params=["hash", "minilm"])
def embeddings(request: pytest.FixtureRequest) -> EmbeddingProvider:
    if request.param == "hash":
        return HashEmbeddingProvider()
    found: EmbeddingProvider = request.getfixturevalue("minilm")
    return found


async def test_each_text_gets_one_unit_vector(embeddings: EmbeddingProvider) -> None:
    vectors = await embeddings.embed(STORY)
    assert len(vectors) == len(STORY)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(STORY)), abs=1e-5)


async def test_a_text_without_any_known_token_gives_zeros(embeddings: EmbeddingProvider) -> None:
    vectors = await embeddings.embed(["", " \n", "?!", STORY[0]])
    assert [bool(vector.any()) for vector in vectors] == [False, False, False, True]


async def test_no_texts_give_no_rows(embeddings: EmbeddingProvider) -> None:
    assert len(await embeddings.embed([])) == 0


async def test_the_same_text_has_the_same_vector_alone_and_among_others(embeddings: EmbeddingProvider) -> None:
    alone = (await embeddings.embed(STORY[2:3]))[0]
    assert (await embeddings.embed(STORY))[2] == pytest.approx(alone, abs=1e-5)


async def test_texts_of_the_same_words_are_nearer_than_others(embeddings: EmbeddingProvider) -> None:
    query, *rows = await embeddings.embed(["Who hid the harbour ledger under the coal?", *STORY])
    assert int(np.argmax(np.stack(rows) @ query)) == 2
