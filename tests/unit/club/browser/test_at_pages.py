"""The same question at two pages: each answer knows its own page alone, and none goes beyond what is read."""

import pytest

from adapters.persistence.tables import MessageRow
from core.club.browser.reader_view import AnswersAtPages
from core.domain.errors import PositionError
from tests.builders import says
from tests.fakes.fixtures import Scripted
from tests.unit.world import World


async def test_each_page_has_an_answer_of_its_own_and_nothing_is_kept(world: World, scripted: Scripted) -> None:
    conversation = await world.reading(position=4)
    provider = scripted(says("Nobody yet."), says("Ada (p. 1)."))
    at_pages = AnswersAtPages(ask=world.ask(provider))
    first, second = await at_pages.execute(await world.club(conversation), "Who?", [1, 4])
    assert (first.page, first.footer, second.page, second.footer) == (1, "up to p. 1", 4, "up to p. 4")
    assert second.text == "Ada (p. 1)."
    assert await world.rows(MessageRow) == []


@pytest.mark.parametrize("pages", [[5], [1, 6], [-1], [1, 1, 1, 1, 1]])
async def test_a_page_that_is_not_read_is_refused(world: World, scripted: Scripted, pages: list[int]) -> None:
    conversation = await world.reading(position=4)
    at_pages = AnswersAtPages(ask=world.ask(scripted()))
    with pytest.raises(PositionError, match="pages you've read"):
        await at_pages.execute(await world.club(conversation), "Who?", pages)
