"""A block is no signal: from reply and reactions nobody can tell ahead, never said and blocked apart (spec 4)."""

from itertools import combinations

import pytest

from tests.attacks.campaign import House
from tests.attacks.labels import pairs
from tests.attacks.signals import LEARNERS, Seen, balanced_accuracy
from tests.attacks.turns import blocked, honestly_unsaid, of_kinds, quoted

_AT_MOST = 0.55
pytestmark = pytest.mark.timeout(300)  # hundreds of turns, on machines that do other things as well


@pytest.mark.parametrize("learner", LEARNERS)
def test_each_classifier_finds_a_signal_where_there_is_one(learner: str) -> None:
    plain = [Seen(text="I cannot say.", reactions=("found nothing",), group=group) for group in range(40)]
    telling = [
        Seen(text=f"That comes later, wait for page {group}.", reactions=("found",), group=group) for group in range(40)
    ]
    assert balanced_accuracy(LEARNERS[learner], plain, telling) > 0.9
    assert balanced_accuracy(LEARNERS[learner], plain, list(plain)) == pytest.approx(0.5)


async def test_with_a_model_nobody_can_tell_ahead_never_said_and_blocked_apart(house: House) -> None:
    kinds = {
        "ahead": await honestly_unsaid(house, pairs(), ahead=True),
        "never said": await honestly_unsaid(house, pairs(), ahead=False),
        "blocked": await blocked(house, pairs()),
    }
    assert all(len(turns) >= 50 for turns in kinds.values())
    told = {
        (one, other, name): balanced_accuracy(learner, kinds[one], kinds[other])
        for one, other in combinations(kinds, 2)
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
    assert len(ahead) >= 50
    told = {name: balanced_accuracy(learner, ahead, never) for name, learner in LEARNERS.items()}
    assert {what: round(value, 3) for what, value in told.items() if value > _AT_MOST} == {}
