"""A home with the dialogues' book, imported once; every play has a copy of its own."""

import asyncio
import importlib
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.homes import made_once
from tests.scenarios.player import Player, import_book, player_of
from tests.scenarios.wires import WIRES

__all__ = ["made_once"]

Opened = Callable[..., Awaitable[Player]]


@pytest.fixture(scope="session")
def home_with_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home to copy; and both SDKs loaded, which would else take from the first turn's time."""
    home = tmp_path_factory.mktemp("dialogues") / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("THUSFAR_HOME", str(home))
        asyncio.run(import_book())
    for sdk in ("anthropic.resources.messages", "openai.resources.chat.completions"):
        importlib.import_module(sdk)
    return home


@pytest.fixture
async def opened(home_with_book: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Opened]:
    """Opens a house as it ships, or with other settings; closing it fails where a scripted answer was left over."""
    async with AsyncExitStack() as stack:

        async def open_(wire_name: str, *, watched: bool = True, **settings: str) -> Player:
            shutil.copytree(home_with_book, own_home)
            wire = WIRES[wire_name]()
            await stack.enter_async_context(wire.server)
            for name, value in {**wire.environment(), **settings}.items():
                monkeypatch.setenv(name, value)
            player = await player_of(wire, home=own_home, watched=watched)
            stack.push_async_callback(player.thusfar.close)
            return player

        yield open_
