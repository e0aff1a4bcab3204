"""A store that fails briefly, at each step of a turn: a question is answered exactly once, by one process."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from sqlalchemy import text

from adapters.platform.services import PlatformServices
from bot.wiring import Application
from core.domain.conversation import TurnStatus
from core.domain.errors import StorageError
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage
from tests.adapters.platforms import QUICK

_FAILS_IN_A_ROW = 2


class GoingAway:
    """Makes some units of work of a database fail, from a given one on."""

    def __init__(self, database: Any, error: str) -> None:
        self._own: Callable[..., Any] = database._translated
        self._error = error
        self._numbers: Iterator[int] = iter(())
        self._first = 0
        self.has_failed = False

    def at(self, number: int) -> None:
        """Fail at the unit of this number from now on, counted from 0."""
        self._numbers, self._first, self.has_failed = count(), number, False

    def __call__(self, run: Callable[..., Any], *given: Any, **options: Any) -> Any:
        number = next(self._numbers, -1)
        if not self._first <= number < self._first + _FAILS_IN_A_ROW:
            return self._own(run, *given, **options)
        self.has_failed = True

        def fail(*_given: Any, **_options: Any) -> None:
            raise sqlite3.OperationalError(self._error)

        return self._own(fail, *given, **options)


async def test_a_question_is_answered_once_whenever_the_store_fails(
    stage: Stage,
    house: Application,
    services: PlatformServices,
    read_book: ReadBook,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await read_book()
    away = GoingAway(house.database, "database is locked")
    monkeypatch.setattr(house.database, "_translated", away)
    asked = []
    async with stage.running(retry=replace(QUICK, later=0.02, look=0.05)) as bot:
        for number in count():
            away.at(number)
            asked.append(stage.say(stage.thread(), "Who lit the lamp?", mention=True))
            await stage.answer_to(asked[-1])
            for _ in range(_FAILS_IN_A_ROW):
                with suppress(StorageError):  # from recording completion, which the next message would retry
                    await bot.settled()
            await bot.settled()
            if not away.has_failed:
                break
    away.at(-_FAILS_IN_A_ROW)
    assert len(asked) > 5
    answers = [[one.content for one in stage.answers_to(message)] for message in asked]
    assert answers == [answers[-1]] * len(asked), answers
    assert "lit the lamp" in answers[-1][0]
    assert all(set(message.reactions) <= {stage.emoji.found} for message in asked)
    assert await services.inbox.unfinished(stage.name) == []
    with house.database.engine.connect() as connection:
        turns = connection.execute(text("SELECT status, count(*) FROM turn GROUP BY status")).all()
    assert turns == [(TurnStatus.ANSWERED, len(asked))]
