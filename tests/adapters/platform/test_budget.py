"""A month's dollars: organisers are told once when they are nearly used; then everyone gets quotations."""

from dataclasses import replace

from sqlalchemy import update

from adapters.persistence.clubs import SqlClubRepository
from adapters.persistence.tables import TurnRow
from adapters.platform.services import PlatformServices
from bot.system_clock import SystemClock
from bot.wiring import Application
from core.answering.quota import Quota
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage

_NEARLY = "80 % of the AI budget"


def _times(stage: Stage) -> int:
    """How often the bot has said it, to whomever."""
    return sum(_NEARLY in one for one in stage.sent())


async def test_organisers_alone_are_told_and_once(
    stage: Stage, house: Application, services: PlatformServices, read_book: ReadBook
) -> None:
    await read_book()
    ada, organiser = stage.club.ada, stage.club.organiser
    quota = Quota(clubs=SqlClubRepository(house.database), clock=SystemClock(), dollars_a_month=1.0)
    async with stage.running() as bot:
        await stage.answer_to(stage.ask("Who lit the lamp?"))
        await bot.settled()
    await house.database.write(lambda session: session.execute(update(TurnRow).values(cost_micro_usd=850_000)))
    async with stage.running(replace(services, quota=quota)) as bot:
        await stage.over(stage.use("where", by=ada), bot)
        await bot.settled()
        assert _times(stage) == 0
        stage.use("where", by=organiser)
        await stage.wait_for(lambda: _times(stage))
        for _ in range(2):
            await stage.over(stage.use("where", by=organiser), bot)
        await bot.settled()
        assert _times(stage) == 1
    assert not [one for one in stage.public() if _NEARLY in one.content]
