"""The short campaigns of the suite: every question is answered once, in order, and nothing shows what is not so."""

from collections import Counter
from pathlib import Path

import pytest

from tests.chaos.campaign import Plan
from tests.chaos.killing import Blow
from tests.chaos.run import on


# Of seeds in whose campaigns no call to the platform hangs: each of those takes half a minute.
@pytest.mark.parametrize(("platform", "seed"), [("discord", 21), ("slack", 20)])
async def test_every_question_is_answered_once_whatever_is_killed(platform: str, seed: int, own_home: Path) -> None:
    plan = Plan(seed=seed, questions=12, kills=3)
    result = await on(platform, plan, own_home)
    assert dict(result.problems) == {}, (plan, result.details)
    assert result.kills.aimed.total() == plan.kills
    assert +Counter(result.faults)


async def test_so_it_is_where_one_process_listens_and_others_answer(own_home: Path, postgres_url: str) -> None:
    plan = Plan(seed=21, questions=10, kills=2, workers=2, database=postgres_url, lease=3)
    result = await on("discord", plan, own_home)
    assert dict(result.problems) == {}, (plan, result.details)


@pytest.mark.parametrize(("platform", "workers"), [("discord", 2), ("slack", 0)])
async def test_so_it_is_where_the_database_goes_away_and_processes_stand_still(
    platform: str, workers: int, own_home: Path, postgres_url: str
) -> None:
    plan = Plan(
        seed=22,
        questions=12,
        kills=0,
        workers=workers,
        database=postgres_url,
        lease=3,
        stalls=1,
        restarts=2,
        crashes=False,
    )
    result = await on(platform, plan, own_home)
    assert dict(result.problems) == {}, (plan, result.details)
    assert result.kills.blows == Counter({Blow.RESTART: 2, Blow.STALL: 1})
