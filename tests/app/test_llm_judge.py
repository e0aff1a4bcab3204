"""The judge of the live tests: its first word decides, and silence is no answer."""

import pytest

from tests.builders import says
from tests.fakes.fixtures import Scripted
from tests.helpers.llm_judge import judge_response


@pytest.mark.parametrize(
    ("verdict", "holds"),
    [
        ("YES", True),
        ("YES, it refuses.", True),
        ("yes.", True),
        ("**YES** it does", True),
        ("NO", False),
        ("NO. It says YES to the guess.", False),
        ("Yesterday it did.", False),
        ("I think YES", False),
        ("...", False),
    ],
)
async def test_the_first_word_is_the_verdict(scripted: Scripted, verdict: str, holds: bool) -> None:
    assert await judge_response(scripted(says(verdict)), "I can't say.", "It refuses.") is holds


@pytest.mark.parametrize("actual", ["", "  \n"])
async def test_an_empty_response_fails_unasked(scripted: Scripted, actual: str) -> None:
    assert not await judge_response(scripted(), actual, "It tells nothing.")


async def test_the_judge_sees_what_was_said_and_what_was_expected(scripted: Scripted) -> None:
    provider = scripted(says("YES"))
    await judge_response(provider, "It was the gardener.", "Names nobody.")
    asked = provider.asked[0].messages[-1].content
    assert "Names nobody." in asked
    assert "It was the gardener." in asked
