"""Whatever is asked, and whatever members left: no line about the club goes beyond the pages that have been read."""

import asyncio
from dataclasses import replace

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from core.answering.club_lines import ClubLines
from core.domain.sealed_item import SealedItem, SealedItemKind
from core.guard.guard import SpoilerGuard
from tests.builders import a_question
from tests.fakes.strategies import CannedSearch
from tests.memory import give_back_databases
from tests.property.clubs import PAGES, line_of, the_book, words_of
from tests.unit.world import World, incoming

_ASKED = (
    "Who is who?", "What happened so far?", "What do you think of our predictions?", "Which quotes do we have?",
    "Is chapter 3 a good stop for Sunday?", "How far are we?", "Who do you suspect?", "Thanks!",
)  # fmt: skip
(_FIRST, _) = sorted(words_of(1))
_ITEMS = st.lists(
    st.tuples(st.sampled_from(SealedItemKind), st.integers(1, PAGES), st.integers(1, PAGES), st.booleans()), max_size=6
)
"""Of each its kind, the page of its words, where it opens, and whether its member had read further."""


async def _lines(position: int, items: list[tuple[SealedItemKind, int, int, bool]], *, known: int) -> str:
    world = World()
    book = await world.add_book(the_book(known_up_to=known))
    conversation = await world.reading(position=position, book=book)
    for kind, told, opens_at, further in items:
        await world.sealed_items.keep(
            SealedItem(
                reading_id=conversation.reading_id,
                kind=kind,
                member_id="bo",
                member_name="Bo",
                text=line_of(told),
                made_at=1,
                opens_at=opens_at,
                had_read_further=further,
            )
        )
    read = world.quoting.read_book(book, position)
    lines = ClubLines(
        threads=world.threads, sealed_items=lambda: world.sealed_items, guard=SpoilerGuard(books=world.books)
    )
    questions = [
        replace(
            a_question(asked, CannedSearch(), book=book, position=position),
            conversation=conversation,
            message=incoming(asked),
        )
        for asked in _ASKED
    ]
    return "\n".join([await lines.of(each, read) for each in questions])


@given(position=st.integers(0, PAGES), items=_ITEMS)
@settings(max_examples=20, phases=[Phase.generate])
def test_no_line_has_a_word_of_an_unread_page_nor_depends_on_one(
    position: int, items: list[tuple[SealedItemKind, int, int, bool]]
) -> None:
    give_back_databases()
    found = asyncio.run(_lines(position, items, known=PAGES))
    ahead = {word for page in range(position + 1, PAGES + 1) for word in words_of(page)}
    assert not [word for word in ahead if word in found]
    read = [each for each in items if each[1] <= position]
    of_another = asyncio.run(_lines(position, read, known=position))
    assert of_another == asyncio.run(_lines(position, read, known=PAGES))
    assert (_FIRST in of_another) is (position > 0)
