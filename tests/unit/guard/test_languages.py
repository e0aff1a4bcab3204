"""With a verifier, a draft may be in the member's language: rules still find names, and its pages are the evidence."""

import codecs
from dataclasses import replace

import pytest

from core.domain.conversation import ChatMessage, Role
from core.guard.verifier import evidence_for
from tests.builders import STORY, a_question
from tests.fakes.strategies import CannedSearch
from tests.unit.guard.conftest import JudgeText
from tests.unit.world import World

_FRENCH = "La plaque se soulève du côté de la cabane, et elle est tenue par deux vis (p. 5). Les clefs étaient rares."
_GERMAN = "Die Platte wird von zwei Schrauben gehalten, und er hat den Schlüssel nicht mehr. Schlüssel waren selten."


def _kinds(judged: JudgeText, text: str, *, page: int = 10, any_language: bool = True) -> set[str]:
    found = judged(text, page, any_language=any_language)
    return {reason.kind for each in found.sentences for reason in each.reasons if reason.page or reason.kind != "name"}


@pytest.mark.parametrize("draft", [_FRENCH, _GERMAN])
def test_a_known_language_is_readable_where_a_verifier_judges_it(draft: str, judged: JudgeText) -> None:
    assert _kinds(judged, draft, any_language=False) == {"unreadable"}
    assert "unreadable" not in _kinds(judged, draft)


@pytest.mark.parametrize(
    "code",
    [
        codecs.encode("The third was in the office of the surveyor, who is the murderer of the weighman.", "rot13"),
        "Zxcv qwrt plmk vbnq wrtz pqlm xcvb nmqw rtzp.",
        "Кто убил весовщика, узнаем позже, и это был он.",
    ],
)
def test_a_code_is_in_no_language(code: str, judged: JudgeText) -> None:
    assert _kinds(judged, code) == {"unreadable"}
    assert _kinds(judged, f"He had three keys, and the third was with the surveyor. {code}") == {"unreadable"}


def test_a_name_that_comes_later_is_a_leak_in_any_language(judged: JudgeText) -> None:
    french = "Les clefs sont chez Clegg, qui les a prises dans la cabane du peseur."
    assert _kinds(judged, french, page=10) == {"name"}
    assert "name" not in _kinds(judged, french, page=83)
    assert "unreadable" in _kinds(judged, f"{_FRENCH} Pensez à {'Clegg'[::-1].lower()}, qui est dans la cabane.")


def test_words_of_another_language_are_no_disguise(judged: JudgeText) -> None:
    spanish = "Ella sale con las llaves de la cabaña, y el peso de la arena no es el que se ha dicho en la plaza."
    assert "unreadable" not in _kinds(judged, spanish)


async def test_cited_pages_are_the_evidence_where_no_words_are_shared() -> None:
    world = World()
    conversation = await world.reading(position=3)
    book = await world.books.get(conversation.book_id or "")
    before = ChatMessage(role=Role.ASSISTANT, content="Tobias wound the clocks (p. 2).", position=2)
    question = replace(a_question("et lui, il le sait ?", CannedSearch(), book=book, position=3), history=(before,))
    evidence = await evidence_for(
        ["Elle le porte dans la poche de son manteau (p. 1).", "Et lui ne le sait pas."],
        {1: STORY[0]},
        question,
        world.books,
    )
    assert list(evidence) == [1, 2]
    assert evidence[1] == STORY[0]


async def test_long_cited_pages_are_sent_whole_where_no_paragraph_can_be_chosen() -> None:
    pages = {page: "\n".join(f"The {page} keeper of the lamp was at {at}." for at in range(400)) for page in (1, 2)}
    question = a_question("et lui, il le sait ?", CannedSearch(), position=3)
    draft = ["Elle le porte dans la poche de son manteau (p. 1).", "Il est le gardien de la lampe (p. 2)."]
    evidence = await evidence_for(draft, pages, question, World().books)
    assert evidence == {1: pages[1]}
