"""A page that is served on this machine, with the sample open in it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.adapters.web.rooms import Served, Tab, prepared, served


@pytest_asyncio.fixture
async def house(own_home: Path) -> AsyncIterator[Served]:
    async with served(prepared(own_home)) as house:
        yield house


@pytest_asyncio.fixture
async def tab(house: Served) -> Tab:
    return await house.tab()
