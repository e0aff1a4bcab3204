"""`settings` shows how a club reads; its buttons change it."""

import pytest

from core.domain.errors import NotPermittedError, ThusfarError
from core.domain.position import Pace, PageControl
from tests.unit.club_house import CHANNEL, House


async def test_each_setting_is_shown_with_the_button_for_the_other() -> None:
    house = House()
    conversation = await house.reading()
    shown = await house.use("settings", organiser=True)
    assert shown.text.startswith("Anyone may move the page.\nI go by the page that was set")
    control, pace, copy, usage, forget = shown.choices
    assert (copy.label, copy.command) == ("Our copy", ".edition-club")
    for choice in (control, pace):
        await house.press(choice, organiser=True)
    reading = await house.readings.get(conversation.reading_id)
    assert (reading.page_control, reading.pace) == (PageControl.ORGANISERS, Pace.SLOWEST)
    again = await house.use("settings", organiser=True)
    assert [choice.label for choice in again.choices[:2]] == ["Anyone moves the page", "Don't wait"]
    assert (await house.press(usage, organiser=True)).text.startswith("Today: ")
    assert [choice.label for choice in (await house.press(forget, organiser=True)).choices] == ["Forget this thread"]


async def test_it_is_for_organisers_where_something_is_read() -> None:
    house = House()
    with pytest.raises(NotPermittedError):
        await house.use("settings")
    with pytest.raises(ThusfarError, match="There's no book here yet"):
        await house.use("settings", thread=CHANNEL, organiser=True)
