"""The clubs of a member: those of the places they are in, with everybody's page and their own."""

from dataclasses import replace

from core.club.browser.member_clubs import MemberClub, MemberClubs
from tests.builders import ADA, BO
from tests.unit.club_house import CHANNEL, House


async def test_each_member_sees_where_everybody_and_they_themselves_stand() -> None:
    house = House()
    await house.reading(position=None)
    clubs = MemberClubs(threads=house.threads)
    await house.use("setpage", "2", thread=CHANNEL)
    await house.use("mypage", "4", thread=CHANNEL)
    nothing = replace(CHANNEL, place="empty")
    (ada,) = await clubs.execute([nothing, CHANNEL], member_id=ADA.member_id)
    (bo,) = await clubs.execute([CHANNEL], member_id=BO.member_id)
    assert (ada.thread, ada.position, ada.own) == (CHANNEL, 2, 4)
    assert bo == MemberClub(thread=CHANNEL, title=ada.title, pages=ada.pages, position=2, own=None)
    assert await clubs.execute([], member_id=ADA.member_id) == []
