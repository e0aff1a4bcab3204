"""Wired homes with books in them, for tests that look at the whole search."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.settings import Embeddings, Settings
from bot.wiring import Application, build

SAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "sample" / "novel.txt"


@asynccontextmanager
async def wired(
    home: Path, *, embeddings: Embeddings = Embeddings.AUTO, minilm: Path | None = None
) -> AsyncIterator[Application]:
    """Open a home as every command does, and close it again; with a folder of MiniLM's, passages are embedded."""
    application = build(
        Settings(thusfar_home=home, THUSFAR_EMBEDDINGS=embeddings, THUSFAR_MINILM_FOLDER=minilm or home / "minilm")
    )
    try:
        yield application
    finally:
        await application.close()
