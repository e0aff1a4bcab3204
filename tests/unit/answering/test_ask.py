"""One question at a page: without a session nothing is kept, with one its turns count from 1."""

from dataclasses import replace

import pytest

from adapters.persistence.tables import MessageRow, TurnRow
from core.answering.ask import AskRequest
from core.answering.context import SummarisingContextStrategy
from core.domain.errors import BookError, BookErrorCode
from core.domain.thread import Thread
from tests.builders import ADA, STORY, an_invocation, says, wants
from tests.fakes.fixtures import Scripted
from tests.unit.world import World, question_in, told_beyond

_SESSION = Thread(scope="local", place="ask", thread="evening")


async def test_without_a_session_nothing_is_written(world: World, scripted: Scripted) -> None:
    book = await world.add_book()
    provider = scripted(wants(an_invocation("brass compass", top_k=1)), says("Ada (p. 1)."))
    response = await world.ask(provider).execute(AskRequest(question="Who?", book_id=book.book_id, page=2, author=ADA))
    assert (response.outcome.text, response.turn_number) == ("Ada (p. 1).", 0)
    assert [source.text for source in response.outcome.sources] == [STORY[0]]
    assert await world.rows(MessageRow) == []
    assert await world.rows(TurnRow) == []
    assert await world.readings.current(scope="local", place="ask") is None


async def test_with_a_session_the_turns_count_from_1_and_remember(world: World, scripted: Scripted) -> None:
    book = await world.add_book()
    provider = scripted(says("Ada."), says("In her coat."), says("Elsewhere."))
    ask = world.ask(provider)
    first, second = [
        await ask.execute(AskRequest(question=text, book_id=book.book_id, page=2, thread=_SESSION))
        for text in ("Who?", "Where?")
    ]
    other = Thread(scope="local", place="ask", thread="morning")
    third = await ask.execute(AskRequest(question="Which?", book_id=book.book_id, page=2, thread=other))
    assert [first.turn_number, second.turn_number, third.turn_number] == [1, 2, 1]
    heard = [[question_in(m) for m in asked.messages[1:]] for asked in provider.asked[1:]]
    assert heard == [["Who?\n[looked at: pp. 1-2]", "Ada.", "Where?"], ["Which?"]]


async def test_a_session_at_an_earlier_page_does_not_see_its_later_talk(world: World, scripted: Scripted) -> None:
    book = await world.add_book()
    provider = scripted(says("The magistrate confessed in the chapel."), says("Ada."))
    ask = world.ask(provider)
    for page in (6, 2):
        await ask.execute(AskRequest(question=f"Who, at {page}?", book_id=book.book_id, page=page, thread=_SESSION))
    assert [question_in(m) for m in provider.asked[1].messages[1:]] == ["Who, at 2?"]


@pytest.mark.parametrize("page", range(7))
async def test_the_page_binds_the_search(world: World, scripted: Scripted, page: int) -> None:
    book = await world.add_book()
    search = an_invocation("compass ledger glove magistrate clocks night ferry", top_k=20)
    provider = scripted(wants(search), says("Hm."))
    await world.ask(provider).execute(AskRequest(question="All?", book_id=book.book_id, page=page))
    sent = [m.content for m in provider.asked[1].messages]
    assert all(f"[p. {number}]\n{STORY[number - 1]}" in "\n".join(sent) for number in range(1, page + 1))
    assert told_beyond(sent, page) == []


@pytest.mark.parametrize("page", [-1, 7, 10**9])
@pytest.mark.parametrize("thread", [None, _SESSION])
async def test_a_page_outside_the_book_is_refused_before_anything_happens(
    world: World, scripted: Scripted, page: int, thread: Thread | None
) -> None:
    book = await world.add_book()
    with pytest.raises(BookError) as caught:
        await world.ask(scripted()).execute(AskRequest(question="Who?", book_id=book.book_id, page=page, thread=thread))
    assert caught.value.code is BookErrorCode.PAGE_OUT_OF_RANGE
    assert await world.rows(MessageRow) == []
    assert await world.readings.current(scope="local", place="ask") is None


async def test_a_book_that_does_not_exist_is_refused(world: World, scripted: Scripted) -> None:
    with pytest.raises(BookError) as caught:
        await world.ask(scripted()).execute(AskRequest(question="Who?", book_id="b_none", page=1))
    assert caught.value.code is BookErrorCode.NOT_FOUND


@pytest.mark.parametrize("by_settings", [3, 8])
@pytest.mark.parametrize("window", [None, 1, 5, 10])
async def test_of_a_session_as_many_turns_are_looked_at_as_was_asked_for(
    world: World, scripted: Scripted, window: int | None, by_settings: int
) -> None:
    book = await world.add_book()
    provider = scripted(*[says("Ada (p. 1).")] * 12)
    ask = world.ask(provider, context=SummarisingContextStrategy(max_turns=by_settings))
    for number in range(1, 13):
        await ask.execute(
            AskRequest(
                question=f"Who, {number}?",
                book_id=book.book_id,
                page=2,
                session_id="evening",
                conversation_window=window if number == 12 else None,
            )
        )
    shown = [message for message in provider.asked[11].messages if message.role == "user"]
    asked = [question_in(replace(message, looked_at=())) for message in shown if not message.is_reminder]
    if window is None:
        assert len(asked) - 1 <= by_settings
    else:
        assert shown == [message for message in shown if not message.is_reminder]
        assert asked == [f"Who, {number}?" for number in range(12 - window, 13)]
