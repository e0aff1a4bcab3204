"""What an answer costs, beside a plain LangGraph agent with langchain-chroma over the same chunks, in one run.

    pip install -e . --group bench
    python -m benchmarks.agent_cost [--strategy tool_use|always_retrieve|prefetch] [--threads] [FOLDER ...]

The peer has WordLlama's vectors, which come with the program. The same scripted model, with the delays of a real one,
answers the sample novel's answerable questions one by one, and then the last ten in one thread, and the last ten of
every labelled book that is named; with `--threads` those alone. Every model call counts, a verifier's and a scope
judge's too; answered is what holds the labelled words of the book. Goals: at most 1.3 calls an answered question, at
most 0.6 of the peer's fresh input tokens and of its price for each answered question (of gpt-4.1-mini: a cached token
costs a quarter of a fresh one, a written one four), at most 0.55 of its own CPU. The floor of CPU is one bare call
of OpenAI's SDK, without any agent.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from openai import AsyncOpenAI

from benchmarks.labelled import SAMPLE, throwaway_house
from benchmarks.model_server import Known, ModelServer, Spent
from benchmarks.peer import WordLlamaMeans, chroma_of
from benchmarks.peer_agent import peer_agent
from bot.wiring import Application
from core.answering.ask import AskRequest
from core.domain.book import Book
from core.domain.thread import Thread

MOST_CALLS, MOST_FRESH, MOST_CPU, MOST_PRICE = 1.3, 0.6, 0.55, 0.6
_FRESH_DOLLARS, _CACHED, _WRITTEN = 0.4e-6, 0.25, 4
_KEY = "no-key-needed"
_MODEL = "gpt-4.1-mini"
_THREAD = 10
_WARM_UP = 3
_STRATEGIES = ("tool_use", "always_retrieve", "prefetch")

Ask = Callable[[str, int, str | None], Awaitable[str]]
"""Question, page, thread or none: the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A labelled question, asked at a page."""

    known: Known
    page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """What one side took for one question; answered is an answer that holds the labelled words."""

    spent: Spent
    answered: bool
    seconds: float
    cpu_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one side took for some questions."""

    took: Sequence[Took]

    def __str__(self) -> str:
        calls, out = self._mean(lambda each: each.calls), self._mean(lambda each: each.output_tokens)
        cached = self._mean(lambda each: each.cached_tokens)
        price, seconds = self.price_answered * 1000, statistics.median(each.seconds for each in self.took)
        return (
            f"{self.answered}/{len(self.took)} answered, for each {self.calls:.2f} calls, {self.fresh_answered:.0f} "
            f"fresh tokens, ${price:.2f} a thousand; over all {calls:.2f} calls, {self.fresh:.0f} fresh and "
            f"{cached:.0f} cached tokens in, {out:.0f} out, {seconds:.2f} s, {self.cpu:.1f} ms CPU"
        )

    @property
    def answered(self) -> int:
        """How many questions were answered."""
        return sum(each.answered for each in self.took)

    @property
    def calls(self) -> float:
        """Calls an answered question."""
        return sum(each.spent.calls for each in self.took if each.answered) / max(self.answered, 1)

    @property
    def fresh(self) -> float:
        """Fresh input tokens a question."""
        return self._mean(lambda each: each.input_tokens - each.cached_tokens)

    @property
    def fresh_answered(self) -> float:
        """Fresh input tokens, those of unanswered questions too, for each that was answered."""
        return self.fresh * len(self.took) / max(self.answered, 1)

    @property
    def price_answered(self) -> float:
        """Dollars for each question that was answered, those for unanswered ones too."""
        cached, out = self._mean(lambda each: each.cached_tokens), self._mean(lambda each: each.output_tokens)
        tokens = self.fresh + _CACHED * cached + _WRITTEN * out
        return _FRESH_DOLLARS * tokens * len(self.took) / max(self.answered, 1)

    @property
    def cpu(self) -> float:
        """Median CPU of this process a question, in ms."""
        return statistics.median(each.cpu_ms for each in self.took)

    def _mean(self, of: Callable[[Spent], int]) -> float:
        return statistics.mean(of(each.spent) for each in self.took)


def main() -> int:
    """Print both sides; return 1 where a goal is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--strategy", choices=_STRATEGIES)
    parser.add_argument("--threads", action="store_true", help="threads alone")
    parser.add_argument("folders", nargs="*", help="labelled books, each for a thread more")
    options = parser.parse_args()
    of_books = {folder: _questions(folder) for folder in (SAMPLE, *map(Path, options.folders))}
    server = ModelServer([asked.known for questions in of_books.values() for asked in questions])
    settings = {"THUSFAR_STRATEGY": options.strategy} if options.strategy else {}
    try:
        return asyncio.run(_compare(server, of_books, settings, threads_alone=options.threads))
    finally:
        server.close()


def _questions(folder: Path) -> list[Asked]:
    labelled = [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    return [
        Asked(
            known=Known(
                question=labels["question"],
                # White space counts for nothing, and the model looks for the words in what it is shown.
                evidence=tuple(" ".join(words.split()) for words in _listed(labels["answer_evidence"])),
                page=labels["answer_pages"][0],
            ),
            page=labels["at_page"],
        )
        for labels in labelled
        if labels["kind"] == "answerable"
    ]


def _listed(evidence: str | list[str]) -> list[str]:
    return [evidence] if isinstance(evidence, str) else evidence


async def _compare(
    server: ModelServer,
    of_books: Mapping[Path, Sequence[Asked]],
    strategy: Mapping[str, str],
    *,
    threads_alone: bool,
) -> int:
    settings = {
        "THUSFAR_PROVIDER": "openai",
        "THUSFAR_MODEL": _MODEL,
        "openai_api_key": _KEY,
        "openai_base_url": server.url,
        "THUSFAR_QUESTIONS_A_MINUTE": 10_000,
    }
    missed = 0
    in_threads: dict[str, list[Took]] = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        async with throwaway_house(**settings, **strategy) as house:
            for folder, questions in of_books.items():
                book = await _imported(house, folder)
                peer = await _langgraph(house, book, str(Path(home) / folder.name), server.url)
                sides = {"Thusfar": _thusfar(house, book), "LangGraph": peer}
                if folder == SAMPLE and not threads_alone:
                    alone = {side: await _measure(ask, questions, None, server) for side, ask in sides.items()}
                    missed += _judge("one by one", alone)
                for side, ask in sides.items():
                    took = (await _measure(ask, _thread(questions), f"{folder.name}-thread", server)).took
                    in_threads.setdefault(side, []).extend(took)
            threads = {side: Figures(took=took) for side, took in in_threads.items()}
            missed += _judge(f"{len(of_books)} threads of {_THREAD}", threads)
            print(f"floor: {await _bare_call(of_books[SAMPLE], server.url):.1f} ms CPU for one bare call of the SDK")
    return int(missed > 0)


async def _imported(house: Application, folder: Path) -> Book:
    text = next(path for name in ("novel.txt", "book.txt") if (path := folder / name).is_file())
    book = (await house.library.add(text, scope="local", title=folder.name)).book
    await house.library.complete(book.book_id)
    return book


def _thread(questions: Sequence[Asked]) -> list[Asked]:
    """Return the last questions, all at the page of the furthest of them."""
    last = questions[-_THREAD:]
    return [Asked(known=asked.known, page=max(each.page for each in last)) for asked in last]


def _judge(name: str, figures: Mapping[str, Figures]) -> int:
    for side, figure in figures.items():
        print(f"{name}, {side:9}: {figure}", flush=True)
    ours, peer = figures["Thusfar"], figures["LangGraph"]
    fresh, cpu, price = ours.fresh / peer.fresh, ours.cpu / peer.cpu, ours.price_answered / peer.price_answered
    print(
        f"  {ours.calls:.2f} calls an answered question (goal {MOST_CALLS}; peer {peer.calls:.2f}), fresh tokens "
        f"{fresh:.2f} of the peer's (goal {MOST_FRESH}), for each answered question {price:.2f} of its price (goal "
        f"{MOST_PRICE}) and {ours.fresh_answered / peer.fresh_answered:.2f} of its fresh tokens, CPU {cpu:.2f} of the "
        f"peer's (goal {MOST_CPU})"
    )
    return sum((ours.calls > MOST_CALLS, fresh > MOST_FRESH, cpu > MOST_CPU, price > MOST_PRICE))


async def _measure(ask: Ask, questions: Sequence[Asked], session: str | None, server: ModelServer) -> Figures:
    for asked in questions[:_WARM_UP]:  # what is loaded once is loaded now
        await ask(asked.known.question, asked.page, session and f"warm-up-{session}")
    server.spent(forget=True)
    took = []
    for asked in questions:
        began, cpu = time.monotonic(), time.process_time()
        answer = await ask(asked.known.question, asked.page, session)
        seconds, cpu_ms = time.monotonic() - began, (time.process_time() - cpu) * 1000
        said = " ".join(answer.split())
        answered = any(words in said for words in asked.known.evidence)
        took.append(Took(spent=server.spent(), answered=answered, seconds=seconds, cpu_ms=cpu_ms))
    return Figures(took=took)


def _thusfar(house: Application, book: Book) -> Ask:
    async def ask(question: str, page: int, session: str | None) -> str:
        thread = Thread(scope="local", place="benchmark", thread=session) if session else None
        response = await house.ask.execute(
            AskRequest(question=question, book_id=book.book_id, page=page, thread=thread)
        )
        return response.outcome.text

    return ask


async def _bare_call(questions: Sequence[Asked], url: str) -> float:
    """Return the median CPU of a call that holds nothing but a question, in ms."""
    took = []
    async with AsyncOpenAI(api_key=_KEY, base_url=url) as client:
        for asked in questions:
            began = time.process_time()
            await client.chat.completions.create(
                model=_MODEL,
                messages=[
                    {"role": "system", "content": "Be kind."},
                    {"role": "user", "content": asked.known.question},
                ],
            )
            took.append((time.process_time() - began) * 1000)
    return statistics.median(took)


async def _langgraph(house: Application, book: Book, folder: str, url: str) -> Ask:
    store = await chroma_of(house, [book], folder, WordLlamaMeans())
    peer = peer_agent(store, book, model=_MODEL, base_url=url, api_key=_KEY)
    alone = iter(range(1_000_000))

    async def ask(question: str, page: int, session: str | None) -> str:
        return await peer(question, page, session or f"alone {next(alone)}")

    return ask


if __name__ == "__main__":
    sys.exit(main())
