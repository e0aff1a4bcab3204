"""A block is no signal: neither reply, reactions nor title tell ahead, never said and blocked apart (ADR 21)."""

from dataclasses import replace
from typing import Final

import pytest

from bot.platforms import platform_services
from core.domain.conversation import Author
from core.domain.scopes import LOCAL_SCOPE
from core.domain.thread import Thread
from tests.adapters.answering import ScriptedAnswers
from tests.attacks.campaign import House
from tests.attacks.labels import pairs
from tests.attacks.signals import LEARNERS, Seen, balanced_accuracy
from tests.attacks.titles import title_of_thread_about
from tests.attacks.turns import (
    HONEST_WORDS,
    blocked,
    honestly_unsaid,
    of_kinds,
    of_people,
    quoted,
    told_then_unsaid,
    unsaid_at_once,
)

_AT_MOST = 0.55
_PAIRS = pairs()[::2]
"""Enough, where few ways to answer could tell the kinds apart."""
_LEAST = 20
_INVENTED: Final = ("Ottilie", "Barnaby Thwaite", "Casimir", "Mrs. Vandeleur", "Quillfeather", "Isolde Marsh")


@pytest.mark.parametrize("learner", LEARNERS)
def test_each_classifier_finds_a_signal_where_there_is_one(learner: str) -> None:
    plain = [Seen(text="I cannot say.", reactions=("found nothing",), group=group) for group in range(40)]
    telling = [
        Seen(text=f"That comes later, wait for page {group}.", reactions=("found",), group=group) for group in range(40)
    ]
    assert balanced_accuracy(LEARNERS[learner], plain, telling) > 0.9
    assert balanced_accuracy(LEARNERS[learner], plain, list(plain)) == pytest.approx(0.5)


async def test_with_a_model_nobody_can_tell_ahead_never_said_and_blocked_apart(house: House) -> None:
    ahead, never = [await honestly_unsaid(house, pairs(), ahead=kind) for kind in (True, False)]
    # What was asked is no secret: a block is held against what else the same questions get.
    held_back, held_back_too = [await blocked(house, pairs(), ahead=kind) for kind in (True, False)]
    kinds = {
        "ahead or never said": (ahead, never),
        "ahead or blocked": (ahead, held_back),
        "never said or blocked": (never, held_back_too),
    }
    assert all(len(turns) >= _LEAST for both in kinds.values() for turns in both)
    told = {
        (which, name): balanced_accuracy(learner, *both)
        for which, both in kinds.items()
        for name, learner in LEARNERS.items()
    }
    assert {what: round(value, 3) for what, value in told.items() if value > _AT_MOST} == {}


async def test_with_a_verifier_nobody_can_tell_them_apart_by_the_new_ways_to_end(verified_house: House) -> None:
    """An honest "not said" in the model's own words, at once, when asked once more, or when what hangs on it falls."""
    ahead, never = [await unsaid_at_once(verified_house, _PAIRS, ahead=kind) for kind in (True, False)]
    held_back, held_back_too = [await told_then_unsaid(verified_house, _PAIRS, ahead=kind) for kind in (True, False)]
    kinds = {
        "ahead or never said": (ahead, never),
        "ahead or blocked": (ahead, held_back),
        "never said or blocked": (never, held_back_too),
    }
    assert all(len(turns) >= _LEAST for both in kinds.values() for turns in both)
    said = [turn.text in HONEST_WORDS for both in kinds.values() for turns in both for turn in turns]
    assert sum(said) >= 0.95 * len(said)
    told = {
        (which, name): balanced_accuracy(learner, *both)
        for which, both in kinds.items()
        for name, learner in LEARNERS.items()
    }
    assert {what: round(value, 3) for what, value in told.items() if value > _AT_MOST} == {}


async def test_without_a_model_nobody_can_tell_ahead_and_never_said_apart(quoting_house: House) -> None:
    ahead, never = [await quoted(quoting_house, pairs(), ahead=kind) for kind in (True, False)]
    told = {name: balanced_accuracy(learner, ahead, never) for name, learner in LEARNERS.items()}
    assert {what: round(value, 3) for what, value in told.items() if value > _AT_MOST} == {}


async def test_of_a_name_that_comes_later_a_kind_of_question_tells_no_more_than_of_one_that_never_comes(
    quoting_house: House,
) -> None:
    ahead, never = [await of_kinds(quoting_house, ahead=kind) for kind in (True, False)]
    assert len(ahead) >= _LEAST
    told = {name: balanced_accuracy(learner, ahead, never) for name, learner in LEARNERS.items()}
    assert {what: round(value, 3) for what, value in told.items() if value > _AT_MOST} == {}


async def test_who_tells_no_more_of_a_name_that_comes_later_than_of_one_that_never_comes(quoting_house: House) -> None:
    ahead, never = [await of_people(quoting_house, ahead=kind) for kind in (True, False)]
    assert len(ahead) >= _LEAST
    told = {name: balanced_accuracy(learner, ahead, never) for name, learner in LEARNERS.items()}
    assert {what: round(value, 3) for what, value in told.items() if value > _AT_MOST} == {}


async def test_no_title_of_a_thread_tells_a_later_name_from_an_invented_one(quoting_house: House) -> None:
    application, pages = quoting_house.application, quoting_house.labels.pages
    place, position = Thread(scope=LOCAL_SCOPE, place="club", thread=""), len(pages) // 3
    await application.threads.use(place, book_id=quoting_house.book_id)
    await application.clubs().positions.set(
        await application.threads.club(place), text=str(position), member=_ada(0), confirmed=True
    )
    read = " ".join(pages[:position]).lower()
    later = sorted(name for name in quoting_house.labels.names if name not in read and name.isalpha())
    assert len(later) >= 20
    services = replace(platform_services(application), answer_message=ScriptedAnswers())
    titles = {
        await title_of_thread_about(f"Who is {name.title()}?", place, _ada(number), services)
        for number, name in enumerate((*later[::6], *_INVENTED))
    }
    assert len(titles) == 1
    assert titles.pop().startswith(f"{quoting_house.labels.title}: Ada asks, ")


def _ada(number: int) -> Author:
    """One of many of one name: each may open only so many threads."""
    return Author(member_id=f"local:{number}", display_name="Ada")
