"""What the guard doubts is settled by read passages; what leaks for certain is shown to no model."""

import pytest

from core.answering.verified_guard import VerifiedGuard
from core.domain.tool_use import ChatResponse
from core.domain.verdict import Judgement
from core.guard.verifier import Verifier
from tests.builders import says
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.fakes.guard import MarkedGuard
from tests.unit.world import PROMPTS, World

_DOUBTED, _LEAK, _SAFE = "Ada perhaps carries a compass.", "The magistrate drowned him.", "The ferry left at dawn."


async def _judged(world: World, provider: ScriptedChatProvider, *sentences: str, strict: bool = False) -> Judgement:
    guard = MarkedGuard(leaking={"magistrate": 5}, doubtful={"perhaps"}, ungrounded={"whispers"}, strict=strict)
    verifier = Verifier(provider=provider, prompts_dir=PROMPTS)
    book = await world.add_book()
    verified = VerifiedGuard(guard=guard, search_books=world.search, verifier=verifier)
    return await verified.judge(" ".join(sentences), book=book, position=2)


@pytest.mark.parametrize(
    ("answer", "leaks", "kinds"),
    [
        (says("1 SUPPORTED p1"), False, []),
        (says("1 TALK"), False, []),
        (says("1 NOT"), True, ["unsupported"]),
        (says("1 PERHAPS\n1 SUPPORTED\n1 NOT"), True, ["unsupported"]),
    ],
)
async def test_the_model_settles_a_doubt(
    world: World, scripted: Scripted, answer: ChatResponse, leaks: bool, kinds: list[str]
) -> None:
    provider = scripted(answer)
    judgement = await _judged(world, provider, _SAFE, _DOUBTED)
    assert (judgement.leaks, [reason.kind for reason in judgement.reasons]) == (leaks, kinds)
    material = provider.asked[0].messages[1].content
    assert f"1. {_DOUBTED}" in material
    assert _SAFE not in material.partition("Sentences:")[2]


async def test_a_leak_is_shown_to_no_model(world: World, scripted: Scripted) -> None:
    provider = scripted(says("1 SUPPORTED p1"))
    judgement = await _judged(world, provider, _LEAK, _DOUBTED)
    assert [sentence.leaks for sentence in judgement.sentences] == [True, False]
    assert "magistrate" not in str(provider.asked)


async def test_what_only_lacks_a_page_may_be_supported(world: World, scripted: Scripted) -> None:
    judgement = await _judged(world, scripted(says("1 SUPPORTED p1")), "Ada whispers of her coat.", strict=True)
    assert not judgement.leaks
