"""The model that ships is loaded once, and the event loop goes on meanwhile."""

import asyncio
import time
from functools import cache

import pytest

from core.understanding import classifier as shipped
from core.understanding.classifier import Classifier, classifier, ready


async def test_two_who_wait_load_it_once_while_the_loop_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    model, loads = classifier(), 0

    @cache
    def slow() -> Classifier:
        nonlocal loads
        loads += 1
        time.sleep(0.3)
        return model

    monkeypatch.setattr(shipped, "_loaded", slow)
    waiting = asyncio.gather(ready(), ready())
    turns = 0
    while not waiting.done():
        turns += 1
        await asyncio.sleep(0.01)
    await waiting
    assert (loads, classifier() is model) == (1, True)
    assert turns > 5
