"""What is generally known outside the book: marked, verified, without a name of the book, and off by default."""

import pytest

from core.domain.conversation import TurnOutcome
from core.domain.verdict import BACKGROUND_MARK
from core.guard.book_index import BookIndex
from core.guard.guard import SpoilerGuard
from core.guard.judge import Exempt, Judge
from core.guard.score import fitted_score
from core.guard.verifier import Verifier
from tests.builders import says
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.fakes.guard import MarkedGuard
from tests.unit.world import PROMPTS, World

_READ = "Ada carried the compass (p. 1)."
_KNOWN = f"{BACKGROUND_MARK} a compass shows where north is."


def _is_background(index: BookIndex, text: str, *, page: int = 40, question: str | None = None) -> bool:
    judge = Judge(index=index, last_page=page, fitted=fitted_score())
    return judge.is_background(f"{BACKGROUND_MARK} {text}", Exempt.of("", None, question))


@pytest.mark.parametrize(
    "text",
    [
        "a tor is a bare rocky hill.",
        "Prohibition was the ban on making and selling alcohol in America.",
        "the song was written in 1922 and danced to as a waltz.",
        "English towns paid for such things out of the rates.",
    ],
)
def test_general_knowledge_passes(text: str, sample_index: BookIndex) -> None:
    assert _is_background(sample_index, text)


def test_a_name_of_the_book_is_no_background_read_or_unread(sample_index: BookIndex) -> None:
    judge = Judge(index=sample_index, last_page=10, fitted=fitted_score())
    late = next(name for name in sorted(judge.index.late_names(10)) if name == "clegg")
    for name in ("Prewett", late.title()):
        assert not _is_background(sample_index, f"{name} is a common name there.", page=10)
    assert _is_background(sample_index, "Zeppelin is a common name there.", page=10)


def test_a_name_that_was_asked_about_is_not_repeated_whether_the_book_has_it_or_not(sample_index: BookIndex) -> None:
    for name in ("Clegg", "Zeppelin"):
        said = f"{name} is a common name there."
        assert not _is_background(sample_index, said, page=10, question=f"who was {name.lower()}?")
        assert _is_background(sample_index, "it is a common name there.", page=10, question=f"who was {name}?")


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("at the elbow of a bank an umbrella often sank into sand.", 18),
        ("a docker was often paid on Sunday night to hold his tongue.", 20),
    ],
)
def test_what_unread_pages_tell_is_no_background(text: str, page: int, sample_index: BookIndex) -> None:
    assert not _is_background(sample_index, text, page=page)


async def test_the_author_may_be_named_but_not_the_title() -> None:
    world = World()
    book = await world.add_book()
    guard = SpoilerGuard(books=world.books)

    async def may_say(text: str) -> bool:
        return await guard.is_background(f"{BACKGROUND_MARK} {text}", book=book, position=2, question="who is Hale?")

    assert await may_say(f"{book.author} was born in the north.")
    assert await may_say(f"{(book.author or '').split()[-1]} was born in the north.")
    assert not await may_say("Marrow was the first of several.")


async def _answered(world: World, provider: ScriptedChatProvider, *, background: bool = True) -> TurnOutcome:
    conversation = await world.reading(position=2)
    verifier = Verifier(provider=provider, prompts_dir=PROMPTS, background=background)
    chat = world.chat(provider, verifier=verifier)
    return await chat.run(conversation.conversation_id, "What is a compass?", position=2)


@pytest.mark.parametrize(
    ("sentence", "verdict", "is_posted"),
    [
        (_KNOWN, "BACKGROUND", True),
        (f"**{_KNOWN}**", "BACKGROUND", True),
        (_KNOWN, "NOT", False),
        (_KNOWN, "SUPPORTED p1", False),
        (_KNOWN, "TALK", False),
        ("A compass shows where north is.", "BACKGROUND", False),
        (f"A needle turns. ({_KNOWN})", "BACKGROUND", False),
        (f"{BACKGROUND_MARK} the magistrate owned one.", "BACKGROUND", False),
    ],
)
async def test_background_is_posted_only_with_its_mark_its_verdict_and_no_name(
    scripted: Scripted, sentence: str, verdict: str, *, is_posted: bool
) -> None:
    world = World()
    world.guard = MarkedGuard(leaking={"magistrate": 1})  # on a read page: no leak, but a name of the book
    provider = scripted(says(f"{_READ} {sentence}"), says(f"1 SUPPORTED p1\n2 {verdict}\n3 {verdict}"))
    outcome = await _answered(world, provider)
    assert outcome.text == (f"{_READ} {sentence}" if is_posted else _READ)
    assert {*outcome.blocks} == (set() if is_posted else {"unsupported"})


async def test_it_answers_alone(scripted: Scripted) -> None:
    outcome = await _answered(World(), scripted(says(_KNOWN), says("1 BACKGROUND")))
    assert outcome.text == _KNOWN


async def test_where_it_is_off_no_prompt_mentions_it_and_the_verdict_is_a_no(scripted: Scripted) -> None:
    provider = scripted(says(f"{_READ} A compass shows where north is."), says("1 SUPPORTED p1\n2 BACKGROUND"))
    outcome = await _answered(World(), provider, background=False)
    assert outcome.text == _READ
    sent = "\n".join(message.content for asked in provider.asked for message in asked.messages).casefold()
    assert "background" not in sent
    assert BACKGROUND_MARK.casefold() not in sent


async def test_where_it_is_on_the_new_draft_may_have_it_too(scripted: Scripted) -> None:
    provider = scripted(says("A compass shows where north is."), says("1 NOT"), says(_KNOWN), says("1 BACKGROUND"))
    assert (await _answered(World(), provider)).text == _KNOWN
    system, *_, reason = provider.asked[2].messages
    assert f'Each begins "{BACKGROUND_MARK}"' in system.content
    assert "or background under its mark" in reason.content
    assert "again, in English, so that" in reason.content
