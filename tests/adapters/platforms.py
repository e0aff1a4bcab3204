"""Helpers for the tests of all platforms: an application without any key, and a small book."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from adapters.platform.retry import RetryPolicy
from adapters.platform.services import PlatformServices
from bot.platforms import platform_services
from bot.settings import Embeddings, Settings
from bot.wiring import Application, build
from tests.patience import PATIENCE_S

LIGHTHOUSE = "\f".join(
    [
        "CHAPTER I\n\nMarrable the keeper lit the lamp of the lighthouse every evening at six.",
        "The storm broke the window of the tower. Marrable mended it with a sail.",
        "CHAPTER II\n\nHis daughter Ines rowed out to the wreck and found a silver whistle.",
        "Ines gave the whistle to the harbour master, who had lost it years ago.",
    ]
)
QUICK = RetryPolicy(first=0.01, longest=0.05, one_call=PATIENCE_S, total=2 * PATIENCE_S)
"""Retries at once; tests of the limit use a policy of their own."""
QUICK_TO_LOOK = replace(QUICK, look=0.05)


@pytest_asyncio.fixture
async def house(own_home: Path) -> AsyncIterator[Application]:
    """A wired application: answers with quotations, and searches by words only."""
    application = build(Settings(thusfar_home=own_home, THUSFAR_EMBEDDINGS=Embeddings.NONE))
    try:
        yield application
    finally:
        await application.close()


@pytest.fixture
def services(house: Application) -> PlatformServices:
    return platform_services(house)
