"""`watch`: an organiser's switch for a whole club; where nobody else reads along it says so."""

import pytest

from core.domain.errors import NotPermittedError, ThusfarError
from core.domain.thread import Thread
from tests.unit.club_house import CHANNEL, House
from tests.unit.world import THREAD


async def test_an_organiser_switches_it_for_the_club_and_all_are_told() -> None:
    house = House()
    await house.reading(THREAD)
    assert (await house.use("watch", organiser=True)).text == "It's off. `/watch on` turns it on."
    on = await house.use("watch", "on", organiser=True)
    assert on.announcement.startswith("Ada turned on `/watch`: from now on, if your own page is ahead of a thread's")
    assert "tell no one else" in on.announcement
    told = await house.use("watch", thread=CHANNEL, organiser=True)
    assert (told.text[:9], told.announcement) == ("It's on: ", "")
    off = await house.use("watch", "OFF", thread=CHANNEL, organiser=True)
    assert off.announcement == "Ada turned off `/watch`: I no longer tell members when their posts give something away."
    assert (await house.use("watch", organiser=True)).text.startswith("It's off")


async def test_nobody_else_may_and_nothing_else_is_taken() -> None:
    house = House()
    await house.reading(THREAD)
    with pytest.raises(NotPermittedError):
        await house.use("watch", "on")
    with pytest.raises(ThusfarError, match="Use `on` or `off`"):
        await house.use("watch", "perhaps", organiser=True)


@pytest.mark.parametrize("scope", ["local", "discord:dm:1", "slack:dm:T1:U1"])
async def test_where_one_is_alone_with_the_bot_there_is_nothing_to_watch(scope: str) -> None:
    response = await House().use("watch", "on", thread=Thread(scope=scope, place="dm", thread="dm"), organiser=True)
    assert response.text.startswith("You're alone with me here")
    assert not response.announcement
