"""The short campaigns of the suite: every question is answered once, in order, and nothing shows what is not so."""

from pathlib import Path

import pytest

from tests.chaos.campaign import Plan
from tests.chaos.run import on


@pytest.mark.parametrize("platform", ["discord", "slack"])
async def test_every_question_is_answered_once_whatever_is_killed(platform: str, own_home: Path) -> None:
    plan = Plan(seed=20, questions=20, kills=4)
    result = await on(platform, plan, own_home)
    assert dict(result.problems) == {}, (plan, result.details)


async def test_so_it_is_where_one_process_listens_and_others_answer(own_home: Path, postgres_url: str) -> None:
    plan = Plan(seed=21, questions=16, kills=3, workers=2, database=postgres_url, lease=3)
    result = await on("discord", plan, own_home)
    assert dict(result.problems) == {}, (plan, result.details)
