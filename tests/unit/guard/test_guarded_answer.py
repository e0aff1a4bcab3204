"""What follows a draft, good or failed (ADR 15): it is held, judged, and never seen again where it fails."""

import pytest

from core.answering.strategies import PrefetchStrategy, RetrievalStrategy, ToolUseRetrievalStrategy
from core.domain.chat_event import (
    ChatEvent,
    DraftMadeEvent,
    SpoilerBlockedEvent,
    TokenUsageEvent,
    ToolInvocationEvent,
    ToolResultEvent,
    TurnAnsweredEvent,
    TurnBegunEvent,
)
from core.domain.conversation import Author, TurnOutcome
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.messages import CANNOT_SAY, CUT_SHORT, IN_THE_BOOKS_LANGUAGE
from core.domain.tool_use import TokenUsage
from core.domain.verdict import Verify
from core.guard.verifier import Verifier
from tests.builders import STORY, a_book_text, an_invocation, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.fakes.guard import MarkedGuard
from tests.unit.world import AGREEING, NOBODY, PROMPTS, STRATEGY, Chat, World, question_in

_LEAK = "The magistrate drowned him."
_QUOTED = f"**pp. 1-2**\n> {STORY[0]}\n>\n> {STORY[1]}"
_QUESTION = "Who carried the brass compass in her coat?"
_ONE_TOKEN = TokenUsage(input_tokens=1, output_tokens=1)


@pytest.fixture
def world() -> World:
    world = World()
    world.guard = MarkedGuard(leaking={"magistrate": 5, "Magistrate": 5}, doubtful={"perhaps"}, ungrounded={"pages"})
    return world


async def _answered(
    world: World,
    provider: ScriptedChatProvider,
    question: str = _QUESTION,
    *,
    position: int = 2,
    verify: Verify | None = None,
    strategy: RetrievalStrategy = STRATEGY,
    events: list[ChatEvent] | None = None,
    author: Author = NOBODY,
) -> TurnOutcome:
    """Ask in the house that ships; with `verify` the script holds the verdicts too, or nobody verifies at all."""
    conversation = await world.reading(position=position)
    chat = world.chat(provider, strategy=strategy, verifier=_verifier(provider, verify))
    sink = None if events is None else events.append
    return await chat.run(conversation.conversation_id, question, position=position, on_event=sink, author=author)


def _verifier(provider: ScriptedChatProvider, verify: Verify | None) -> Verifier | None:
    if verify is None:
        return AGREEING
    return None if verify is Verify.OFF else Verifier(provider=provider, prompts_dir=PROMPTS, scope=verify)


def _sent(provider: ScriptedChatProvider) -> str:
    return "\n".join(message.content for asked in provider.asked for message in asked.messages)


async def test_a_draft_that_rests_on_read_text_is_posted_as_it_is(world: World, scripted: Scripted) -> None:
    outcome = await _answered(world, scripted(says("Ada carried the brass compass (p. 1).")))
    assert (outcome.text, outcome.blocks) == ("Ada carried the brass compass (p. 1).", {})
    assert not outcome.quotes_only


@pytest.mark.parametrize(
    ("draft", "rules"),
    [
        (_LEAK, {"name": 1}),
        (f"{_LEAK} He carried the brass compass (p. 1). {_LEAK}", {"name": 2}),
        ("Ada carried the brass compass (p. 4).", {"citation": 1}),
        ("See pages 3 to 5 for the brass compass.", {"citation": 3}),
        ("The pages so far do not say.", {"unsupported": 1}),
        ("He does, though the pages don’t say so yet.", {"unsupported": 1}),
        ("Ada.", {"unsupported": 1}),
        ("**Ada** (p. 1).", {"unsupported": 1}),
        ("Ada, Ben and Marrow (p. 1).", {"unsupported": 1}),
        ("No. 12 (p. 1).", {"unsupported": 1}),
        ("7", {"unsupported": 1}),
        ("👍", {"ungrounded": 1}),
        ("“left Marrow Quay at dawn” (p. 1).", {"ungrounded": 1}),
        (CANNOT_SAY, {"ungrounded": 1}),
        (f"The pages so far do not say.\n\n{CUT_SHORT}", {"unsupported": 1}),
        ("Ada perhaps carried the brass compass (p. 1).", {}),
    ],
)
async def test_without_a_verifier_a_failed_draft_becomes_the_quoting_answer(
    world: World, scripted: Scripted, draft: str, rules: dict[str, int]
) -> None:
    events: list[ChatEvent] = []
    provider = scripted(wants(an_invocation("compass")), says(draft))
    outcome = await _answered(world, provider, verify=Verify.OFF, events=events)
    assert outcome.blocks == rules
    assert [event for event in events if isinstance(event, SpoilerBlockedEvent)] == (
        [SpoilerBlockedEvent(rules=rules)] if rules else []
    )
    assert outcome.text == (_QUOTED if rules else draft)
    assert {source.start_page for source in outcome.sources} <= {1, 2}


async def test_doubt_alone_holds_nothing_back_but_a_missing_page_does(world: World, scripted: Scripted) -> None:
    ada = "Ada carried the brass compass (p. 1)."
    good = scripted(says(f"{ada} A hat is the stranger’s (p. 1)."))
    assert (await _answered(world, good, verify=Verify.OFF)).blocks == {"unsupported": 1}
    cited = scripted(says(f"{ada} Perhaps dawn is when the ferry left Marrow Quay (p. 1)."))
    assert (await _answered(world, cited, verify=Verify.OFF)).blocks == {}


@pytest.mark.parametrize(("verifier", "drafts"), [(AGREEING, 2), (None, 1)])
async def test_what_fails_is_neither_stored_nor_sent_again(
    world: World, scripted: Scripted, verifier: Verifier | None, drafts: int
) -> None:
    later = says("Ada carried the brass compass (p. 1).")
    provider = scripted(wants(an_invocation("compass")), *[says(_LEAK)] * drafts, later)
    conversation = await world.reading(position=2)
    chat = world.chat(provider, verifier=verifier)
    for question in (_QUESTION, "Again, who carried it?"):
        await chat.run(conversation.conversation_id, question, position=2)
    said = await world.said(conversation)
    first, second = ["user", "tool_result", "tool_result", "assistant"], ["user", "tool_result", "assistant"]
    assert [role for role, _ in said] == [*first, *second]
    assert said[3] == ("assistant", _QUOTED)
    assert "magistrate" not in (_sent(provider) + str(said))


async def test_with_a_verifier_one_new_draft_is_asked_for_with_a_reason_without_content(
    world: World, scripted: Scripted
) -> None:
    provider = scripted(
        wants(an_invocation("compass")), says(_LEAK), says("Ada carried the brass compass (p. 1).", usage=_ONE_TOKEN)
    )
    outcome = await _answered(world, provider, verify=Verify.DOUBT)
    assert (outcome.text, outcome.blocks) == ("Ada carried the brass compass (p. 1).", {"name": 1})
    system, question, call, result, reason = provider.asked[2].messages
    assert system == provider.asked[0].messages[0]
    assert (reason.role, reason.is_reminder) == ("user", True)
    assert reason.content.startswith("An earlier draft of your answer was not used")
    assert (question_in(question), call.tool_invocations, result.tool_name) == (
        _QUESTION, (an_invocation("compass"),), "search_book",
    )  # fmt: skip
    assert f"[p. 1]\n{STORY[0]}" in question.content
    assert "magistrate" not in _sent(provider)
    assert outcome.iterations == 3
    assert [call.tool for call in outcome.tool_calls] == ["search_book"]


@pytest.mark.parametrize("second", [_LEAK, "See p. 6.", ""])
async def test_after_a_second_failure_there_is_no_third(world: World, scripted: Scripted, second: str) -> None:
    answer = says(second) if second else LLMError(LLMErrorCode.OVERLOADED, "529")
    outcome = await _answered(world, scripted(says(_LEAK), answer), verify=Verify.DOUBT)
    assert outcome.text == _QUOTED
    assert outcome.blocks["name"] == (2 if second == _LEAK else 1)


async def test_a_sentence_in_doubt_is_posted_where_the_verifier_supports_it(world: World, scripted: Scripted) -> None:
    provider = scripted(
        says("Ada perhaps carried the brass compass (p. 1). She lived by the sea.", usage=_ONE_TOKEN),
        says("1 SUPPORTED p1\n2 SUPPORTED p1", usage=_ONE_TOKEN),
    )
    events: list[ChatEvent] = []
    outcome = await _answered(world, provider, verify=Verify.DOUBT, events=events)
    assert outcome.blocks == {}
    assert (outcome.usage, outcome.iterations) == (_ONE_TOKEN + _ONE_TOKEN, 2)
    spent = TokenUsageEvent(input_tokens=1, output_tokens=1, model="scripted-1")
    assert [type(event) for event in events[:3]] == [TurnBegunEvent, ToolInvocationEvent, ToolResultEvent]
    assert events[3:] == [spent, DraftMadeEvent(), spent, TurnAnsweredEvent()]
    material = provider.asked[1].messages[1].content
    assert "1. Ada perhaps carried the brass compass (p. 1).\n2. She lived by the sea." in material
    assert "[p. 1]" in material


@pytest.mark.parametrize("verdicts", ["1 NOT", "1 SUPPORTED p1\n1 TALK", "1: NOT SUPPORTED", "1 SUPPORTED p6"])
async def test_what_the_verifier_does_not_support_fails_the_draft(
    world: World, scripted: Scripted, verdicts: str
) -> None:
    ada = "Ada perhaps carried the brass compass (p. 1)."
    provider = scripted(says(ada), says(verdicts), says("Ada carried the brass compass (p. 1)."))
    outcome = await _answered(world, provider, verify=Verify.DOUBT)
    assert (outcome.text, outcome.blocks) == ("Ada carried the brass compass (p. 1).", {"unsupported": 1})


@pytest.mark.parametrize("verify", [Verify.ALL, Verify.DOUBT])
@pytest.mark.parametrize(
    ("draft", "verdicts"),
    [
        ("The pages so far do not say.", "1 ABSTAIN"),
        (CANNOT_SAY, None),
        ("I looked for it high and low, and the pages give no hint.", "1 ABSTAIN"),
        ("Which of the two compasses do you mean?", "1 TALK"),
    ],
)
async def test_an_honest_draft_that_tells_nothing_is_posted_in_its_own_words(
    world: World, scripted: Scripted, draft: str, verdicts: str | None, verify: Verify
) -> None:
    provider = scripted(says(draft), *([says(verdicts)] if verdicts else []))
    outcome = await _answered(world, provider, verify=verify)
    assert (outcome.text, outcome.blocks, outcome.quotes_only) == (draft, {}, False)


@pytest.mark.parametrize(
    "draft",
    [
        "The pages don’t say so yet, but he does.",
        "He does, though the pages don’t say so yet.",
        "The pages don’t say. He does.",
        "The pages so far don’t say (he does).",
        "> The pages don’t say.\n\n```\nhe does\n```",
        "Die Seiten sagen es noch nicht, aber er tut es.",
        "Les pages ne le disent pas encore, mais oui.",
        "You are welcome: sure, soon!",
        f"{CANNOT_SAY} But he does.",
        "I think he does.",
        "Ada.",
        "**Ada** (p. 1)",
        "No, she doesn’t.",
        "“Ada Lindqvist carried a brass compass in her coat” (p. 1).",
        "Ada Lindqvist carried a brass compass in her coat.",
    ],
)
@pytest.mark.parametrize("verify", [Verify.ALL, Verify.DOUBT])
async def test_the_verifier_can_fail_whatever_it_is_shown(
    world: World, scripted: Scripted, draft: str, verify: Verify
) -> None:
    no = says("\n".join(f"{number} NOT" for number in range(1, 4)))
    outcome = await _answered(world, scripted(says(draft), no, says(draft), no), verify=verify)
    assert outcome.quotes_only
    assert list(outcome.blocks) == ["unsupported"]


async def test_a_quotation_that_fails_is_not_quoted_instead(world: World, scripted: Scripted) -> None:
    no, draft = says("1 NOT"), "“Tobias Fenn, kept seven clocks” (p. 2)."
    world.guard = MarkedGuard()
    outcome = await _answered(world, scripted(says(draft), no, says(draft), no), verify=Verify.ALL)
    assert "seven clocks" not in outcome.text.partition("\n>\n")[0]


async def test_where_the_verifier_fails_twice_quotations_replace_the_answer(
    world: World, scripted: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    failed = LLMError(LLMErrorCode.OVERLOADED, "529")
    provider = scripted(says("Ada carried the brass compass (p. 1)."), failed, says(""))
    outcome = await _answered(world, provider, verify=Verify.ALL)
    assert (outcome.text, outcome.quotes_only, outcome.blocks) == (_QUOTED, True, {"unverified": 1})
    assert (outcome.iterations, len(provider.asked)) == (3, 3)
    assert "Quotations replace an answer, since its verifier failed" in caplog.text


async def test_asked_once_more_a_model_may_say_that_the_pages_do_not_tell(world: World, scripted: Scripted) -> None:
    provider = scripted(says(_LEAK), says("The pages so far do not say."), says("1 ABSTAIN"))
    outcome = await _answered(world, provider, verify=Verify.ALL)
    assert (outcome.text, outcome.blocks) == ("The pages so far do not say.", {"name": 1})


async def test_what_fails_falls_and_the_rest_stands(world: World, scripted: Scripted) -> None:
    ada, keeper = "Ada carried the brass compass (p. 1).", "The keeper wound his seven clocks (p. 2)."
    draft = f"{ada} {_LEAK} It was blue. {keeper}\n\nAsk me for more!"
    provider = scripted(says(draft), says("1 SUPPORTED p1\n3 NOT\n4 SUPPORTED p2\n5 TALK"))
    outcome = await _answered(world, provider, verify=Verify.ALL)
    assert outcome.text == f"{ada} {keeper}\n\nAsk me for more!"
    assert outcome.blocks == {"name": 1, "unsupported": 1}
    assert "magistrate" not in _sent(provider)
    assert not outcome.quotes_only


async def test_a_new_draft_is_asked_for_with_what_is_left_of_the_first(world: World, scripted: Scripted) -> None:
    ada = "Ada carried the brass compass (p. 1)."
    provider = scripted(
        says(f"{ada} She gave it away. But she kept it in her coat (p. 1)."),
        says("1 SUPPORTED p1\n2 NOT\n3 SUPPORTED p1 <2"),
        says(f"{ada} It lay in her coat (p. 1)."),
        says("1 SUPPORTED p1\n2 SUPPORTED p1"),
    )
    world.guard = MarkedGuard()
    outcome = await _answered(world, provider, verify=Verify.ALL)
    assert outcome.text == f"{ada} It lay in her coat (p. 1)."
    reason = provider.asked[2].messages[-1].content
    assert reason.endswith(f"\n\n{ada} But she kept it in her coat (p. 1).")
    assert "gave it away" not in reason


async def test_a_new_draft_is_judged_like_the_first(world: World, scripted: Scripted) -> None:
    cited = "Ada carried the brass compass, which will save her (p. 1)."
    provider = scripted(says("It saves her."), says("1 NOT"), says(cited), says("1 NOT"))
    outcome = await _answered(world, provider, verify=Verify.ALL)
    assert (outcome.text, outcome.blocks) == (_QUOTED, {"unsupported": 2})


async def test_a_leak_is_never_shown_to_the_verifier(world: World, scripted: Scripted) -> None:
    provider = scripted(says(_LEAK), says(_LEAK))
    outcome = await _answered(world, provider, verify=Verify.ALL)
    assert (outcome.text, outcome.blocks) == (_QUOTED, {"name": 2})


@pytest.mark.parametrize("draft", [_LEAK, "The pages do not say.", CANNOT_SAY, "See p. 5."])
@pytest.mark.parametrize(
    ("strategy", "searches", "seen_searches"),
    [
        (PrefetchStrategy(), False, 1),
        (PrefetchStrategy(), True, 2),
        (ToolUseRetrievalStrategy(), False, 1),
        (ToolUseRetrievalStrategy(), True, 1),
    ],
)
async def test_without_a_verifier_a_block_looks_like_every_other_i_cannot_say(
    world: World, scripted: Scripted, draft: str, strategy: RetrievalStrategy, searches: bool, seen_searches: int
) -> None:
    events: list[ChatEvent] = []
    provider = scripted(*[wants(an_invocation("ledger"))] * searches, says(draft))
    outcome = await _answered(
        world, provider, "Who hid the ledger?", verify=Verify.OFF, strategy=strategy, events=events
    )
    assert outcome.text == CANNOT_SAY
    assert outcome.sources == ()
    seen = [type(event) for event in events if not isinstance(event, SpoilerBlockedEvent | DraftMadeEvent)]
    assert seen == [TurnBegunEvent, *[ToolInvocationEvent, ToolResultEvent] * seen_searches, TurnAnsweredEvent]


async def test_in_strict_every_sentence_must_rest_on_read_text_but_courtesies(world: World, scripted: Scripted) -> None:
    world.guard = MarkedGuard(ungrounded={"sea", "welcome"}, strict=True)
    ada = "Ada carried the brass compass (p. 1)."
    fine = await _answered(world, scripted(says(f"You are welcome! {ada}")), verify=Verify.OFF)
    assert fine.text == f"You are welcome! {ada}"
    failed = await _answered(world, scripted(says(f"{ada} She lived by the sea.")), verify=Verify.OFF)
    assert (failed.text, failed.blocks) == (ada, {"ungrounded": 1})
    checked = await _answered(
        world, scripted(says(f"{ada} She lived by the sea."), says("1 SUPPORTED p1\n2 OPINION")), verify=Verify.DOUBT
    )
    assert checked.text == f"{ada} She lived by the sea."


async def test_a_model_that_recites_is_cut_at_150_words_of_the_book(world: World, scripted: Scripted) -> None:
    recited = [f"Ada carried the brass compass past gate {number} and on." for number in range(30)]
    world.guard = MarkedGuard(verbatim=set(recited))
    outcome = await _answered(world, scripted(says(" ".join(recited) + " (p. 1)")))
    assert outcome.text.split(" […]")[0] == " ".join(recited[:15])
    assert outcome.text.count("[…]") == 1


@pytest.mark.parametrize("said", ["My guess is yes.", "I'd bet on the keeper (p. 2).", "It has to be the keeper."])
async def test_where_nobody_verifies_no_guess_is_posted(world: World, scripted: Scripted, said: str) -> None:
    ada = "Ada carried the brass compass (p. 1)."
    assert (await _answered(world, scripted(says(f"{ada} {said}")), verify=Verify.OFF)).text == ada
    view = "I like it that Ada carried a compass in her coat (p. 1)."
    assert (await _answered(world, scripted(says(f"{ada} {view}")), verify=Verify.OFF)).text == f"{ada} {view}"


async def test_what_leans_on_a_guess_falls_with_it_without_a_new_draft(world: World, scripted: Scripted) -> None:
    ada = "Ada carried the brass compass (p. 1)."
    provider = scripted(
        says(f"{ada} I'd bet on the keeper. What makes him so sly?"), says("1 SUPPORTED p1\n2 GUESS\n3 TALK <2")
    )
    outcome = await _answered(world, provider, verify=Verify.ALL)
    assert (outcome.text, outcome.blocks) == (ada, {"guess": 1})


async def test_what_leans_on_a_leak_is_known_though_the_leak_is_not_shown(world: World, scripted: Scripted) -> None:
    ada = "Ada carried the brass compass (p. 1)."
    provider = scripted(says(f"{_LEAK} {ada} Did you like him?"), says("2 SUPPORTED p1\n3 TALK <1"))
    assert (await _answered(world, provider, verify=Verify.ALL)).text == ada
    assert "Sentences:\n\n1. [removed]\n2. Ada" in provider.asked[1].messages[1].content


async def test_of_many_cited_pages_the_paragraphs_that_fit_are_shown(world: World, scripted: Scripted) -> None:
    rain, fog = "Rain fell on the town. " * 60, "Fog came in from the sea. " * 60
    text = a_book_text([f"{rain}\n\nThe clerk painted gate {at} green.\n\n{fog}" for at in range(1, 31)])
    conversation = await world.reading(position=30, book=await world.add_book(text))
    draft = " ".join(f"Somebody painted gate {at} green (p. {at})." for at in range(1, 31))
    provider = scripted(says(draft), says("\n".join(f"{at} SUPPORTED p{at}" for at in range(1, 31))))
    chat = world.chat(provider, verifier=_verifier(provider, Verify.ALL))
    outcome = await chat.run(conversation.conversation_id, "Which gates are green?", position=30)
    assert outcome.text == draft


async def test_what_hangs_on_a_true_statement_is_judged_by_itself(world: World, scripted: Scripted) -> None:
    draft = "Ada carried the brass compass (p. 1), and she held it in her coat the whole way (p. 1)."
    assert (await _answered(world, scripted(says(draft)), verify=Verify.OFF)).blocks == {}
    assert [text for text, _ in world.guard.judged] == [
        draft,
        "Ada carried the brass compass (p. 1)\n\nand she held it in her coat the whole way (p. 1).",
    ]


async def test_a_question_in_another_language_than_the_books_is_told_so(world: World) -> None:
    conversation = await world.reading(position=2)
    chat = Chat(world, world.quoting_page())
    for question, foreign in (("Wer hat den compass in der Hand und wo ist er?", True), (_QUESTION, False)):
        outcome = await chat.run(conversation.conversation_id, question, position=2)
        assert outcome.text.startswith(IN_THE_BOOKS_LANGUAGE) is foreign


@pytest.mark.parametrize(("second", "stands"), [("1 SUPPORTED p1", True), ("1 NOT", False)])
async def test_a_smaller_verifier_is_asked_once_more_about_what_its_page_seems_to_say(
    world: World, scripted: Scripted, second: str, *, stands: bool
) -> None:
    carried, ferry = "Ada carried the compass in her coat (p. 1).", "The ferry left at dawn (p. 1)."
    draft = f"{carried} Somebody sold it abroad (p. 2). {ferry}"
    provider = scripted(says(draft), says("1 NOT\n2 NOT\n3 SUPPORTED p1"), says(second))
    verifier = Verifier(provider=provider, prompts_dir=PROMPTS, looks_twice=True)
    world.guard = MarkedGuard()
    conversation = await world.reading(position=2)
    outcome = await world.chat(provider, verifier=verifier).run(conversation.conversation_id, _QUESTION, position=2)
    assert outcome.text == (f"{carried} {ferry}" if stands else ferry)
    again = provider.asked[2].messages[-1].content
    assert again.endswith(f"Sentences:\n\n1. {carried}")
    assert STORY[0] in again
    assert outcome.iterations == 3
