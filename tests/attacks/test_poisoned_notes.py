"""Notes into which later knowledge has slipped: nothing more is posted than without them.

Every tenth note is a labelled leak, put on an early page as if it told of it: what a model does that knows the book.
Sampled: the sample novel and one of the practice books, and a few leaks in each.
Quotations show notes; a model is given them, and the one here says whatever note it is shown, with its page.
"""

import asyncio
import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.settings import Embeddings, Settings
from bot.wiring import Application, build
from core.answering.ask import AskRequest
from core.domain.book import Book
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition
from core.ports.chat_provider import ChatProvider
from tests.property.houses import wired

_ROOT = Path(__file__).resolve().parents[2]
_SAMPLE = _ROOT / "fixtures" / "sample"
_PRACTICE = _ROOT.parent / "shared" / "books"
_FOLDERS = [_SAMPLE, *sorted(path.parent for path in _PRACTICE.glob("*/notes.jsonl"))[:1]]
_EARLIEST = 4
_ONE_IN = 10
_ASKED_AFTER = 5
"""So many leaks of a book, drawn by chance, are asked after; all of them lie among its notes."""
_NOTE = re.compile(r"^- \(note on p\. (\d+)\) (.+?)\.?$", re.MULTILINE)


class _Parrot(ChatProvider):
    """Says every note that it is shown, as if its page said so; `shown` is all that it ever was."""

    name = "scripted"
    model = "scripted-1"

    def __init__(self) -> None:
        self.shown: set[str] = set()

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        found = _NOTE.findall(messages[-1].content)
        self.shown.update(f"{text}." for _, text in found)
        return ChatResponse(text=" ".join(f"{text} (p. {page})." for page, text in found) or "I cannot find that.")

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        return await self.chat(messages, options)


@dataclass(frozen=True)
class _Poison:
    """A leak, the page that it is put on, and the first page that tells it."""

    text: str
    page: int
    revealed_page: int


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _poisons(folder: Path, *, most: int) -> list[_Poison]:
    """Leaks of all kinds, each put somewhere before the page that reveals it, the same in every run."""
    chance = random.Random(11)
    told = [line for line in _lines(folder / "statements.jsonl") if line["kind"] != "safe"]
    found = [(str(line["text"]), int(str(line["revealed_page"]))) for line in told]
    leaks = [(text, page) for text, page in found if page >= _EARLIEST]
    chosen = chance.sample(leaks, min(most, len(leaks)))
    return [_Poison(text=text, page=chance.randint(1, page - 2), revealed_page=page) for text, page in chosen]


def _text(folder: Path) -> Path:
    return next(folder / name for name in ("novel.txt", "book.txt") if (folder / name).is_file())


async def _answer(thusfar: Application, book: Book, question: str, position: int) -> str:
    return (await thusfar.ask.execute(AskRequest(question=question, book_id=book.book_id, page=position))).text


async def _shown(thusfar: Application, book: Book, poisons: list[_Poison]) -> list[tuple[str, int]]:
    """Ask after each leak in its own words, and at each page of a few before its reveal; return what was shown."""
    found = []
    for poison in poisons[:_ASKED_AFTER]:
        for position in sorted({poison.page, (poison.page + poison.revealed_page) // 2, poison.revealed_page - 1}):
            answer = await _answer(thusfar, book, poison.text, position)
            ahead = [one.text for one in poisons if position < one.revealed_page]
            found += [(text, position) for text in ahead if text.removesuffix(".") in answer]
    return found


@dataclass(frozen=True)
class _Poisoned:
    """A home with a book whose notes hold leaks; nothing that is asked here changes it."""

    home: Path
    folder: Path
    poisons: list[_Poison]


@pytest.fixture(scope="module", params=_FOLDERS, ids=lambda folder: str(folder.name))
def poisoned(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> _Poisoned:
    """A book, imported once for all who ask in it."""
    clean = _lines(request.param / "notes.jsonl")
    poisons = _poisons(request.param, most=len(clean) // _ONE_IN)
    lines = [*clean, *({"page": poison.page, "note": poison.text} for poison in poisons)]
    made = _Poisoned(home=tmp_path_factory.mktemp("poisoned") / "home", folder=request.param, poisons=poisons)

    async def fill() -> None:
        async with wired(made.home, embeddings=Embeddings.NONE) as thusfar:
            book = (await thusfar.library.add(_text(made.folder), scope="local", title=made.folder.name)).book
            await thusfar.noted().notes.take("\n".join(map(json.dumps, lines)), book=book)
            assert (await thusfar.library.get(book.book_id)).notes_id

    asyncio.run(fill())
    return made


async def _the_book(thusfar: Application) -> Book:
    book = await thusfar.library.latest(scope="local")
    assert book is not None
    return book


async def test_nothing_more_is_posted_than_without_notes(poisoned: _Poisoned) -> None:
    async with wired(poisoned.home, embeddings=Embeddings.NONE) as thusfar:
        assert await _shown(thusfar, await _the_book(thusfar), poisoned.poisons) == []


async def test_a_model_that_says_whatever_a_note_says_posts_nothing_more(poisoned: _Poisoned) -> None:
    """Without a verifier, so that the guard alone stands between the two."""
    parrot = _Parrot()
    settings = Settings(thusfar_home=poisoned.home, THUSFAR_EMBEDDINGS=Embeddings.NONE, THUSFAR_VERIFIER="off")
    thusfar = build(settings, answers_with=parrot)
    try:
        book = await _the_book(thusfar)
        assert await _shown(thusfar, book, poisoned.poisons) == []
        for line in _lines(poisoned.folder / "notes.jsonl")[20:23]:
            await _answer(thusfar, book, f"Is it true that {line['note']}?", int(str(line["page"])))
    finally:
        await thusfar.close()
    assert parrot.shown & {str(line["note"]) for line in _lines(poisoned.folder / "notes.jsonl")}


async def test_true_notes_of_the_sample_are_shown(tmp_path: Path) -> None:
    notes = _lines(_SAMPLE / "notes.jsonl")[::40]
    async with wired(tmp_path, embeddings=Embeddings.NONE) as thusfar:
        book = (await thusfar.library.add(_text(_SAMPLE), scope="local", title="sample")).book
        await thusfar.noted().notes.take(
            await asyncio.to_thread((_SAMPLE / "notes.jsonl").read_text, "utf-8"), book=book
        )
        book = await thusfar.library.get(book.book_id)
        asked = [(str(note["note"]), int(str(note["page"]))) for note in notes]
        shown = [
            text in await _answer(thusfar, book, f"Is it true that {text}?", min(page + 10, book.pages))
            for text, page in asked
        ]
    assert sum(shown) >= len(shown) // 3
