"""On a whole novel, Chroma finds what the exact search finds, at any page."""

import asyncio
import json
from collections import Counter
from pathlib import Path

from adapters.persistence.vectors import SqlVectorRepository
from adapters.retrieval.exact_index import ExactPassageIndex
from core.domain.passage import readable
from tests.adapters.retrieval.vectors import ids_found
from tests.property.houses import SAMPLE, wired
from tests.tiny_minilm import make_tiny_minilm

_LEAST_RECALL = 0.99


async def test_recall_at_five_on_the_sample(tmp_path: Path) -> None:
    minilm = make_tiny_minilm(tmp_path / "minilm", [SAMPLE.read_text("utf-8")])
    questions = [json.loads(line) for line in (SAMPLE.parent / "questions.jsonl").read_text("utf-8").splitlines()]
    async with wired(tmp_path, minilm=minilm) as house:
        assert house.chroma is not None
        assert house.embeddings is not None
        book = (await house.library.add(SAMPLE, scope="local")).book
        model = house.embeddings
        stored = SqlVectorRepository(house.database)
        exact = ExactPassageIndex(stored, model_id=model.model_id, dimensions=model.dimensions)
        vectors = await model.embed([question["question"] for question in questions])
        found = wanted = 0
        for question, vector in zip(questions, vectors, strict=True):
            for page in {question["at_page"], book.pages // 2, book.pages}:
                span = readable(book, page)
                right = await ids_found(exact, span, vector, limit=5)
                given, again = await asyncio.gather(
                    ids_found(house.chroma, span, vector, limit=5), ids_found(house.chroma, span, vector, limit=5)
                )
                assert given == again
                assert len(given) == len(right)
                found += (Counter(right) & Counter(given)).total()
                wanted += len(right)
        assert await house.chroma.usable()
    assert wanted > 700
    assert found / wanted >= _LEAST_RECALL
