"""Messages of several clauses, and what is only talk in them."""

import pytest

from core.understanding.asked import Asked, Kind
from core.understanding.kinds import asked


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("whos starbuck, is he the first mate??", Asked(kind=Kind.WHO, subject="starbuck")),
        ("who's clerval, the best friend?", Asked(kind=Kind.WHO, subject="clerval")),
        ("whos basil again? the kid who teased her i think", Asked(kind=Kind.WHO, subject="basil")),
        ("the guy with the heron, teo i think... who is he", Asked(kind=Kind.NAME, subject="teo")),
        ("allan a dale ... remind me who that is", Asked(kind=Kind.NAME, subject="allan a dale")),
        ("rebecca... isaac's daughter right? who is she", Asked(kind=Kind.NAME, subject="rebecca")),
        ("zeena... thats the wife right", Asked(kind=Kind.NAME, subject="zeena")),
        ("cant place beaumanoir, who is that", Asked(kind=Kind.WHO, subject="beaumanoir")),
        ("ingolf? which one is he", Asked(kind=Kind.NAME, subject="ingolf")),
        ("mr marvel?? remind me", Asked(kind=Kind.NAME, subject="mr marvel")),
        ("snorf?? whats that", Asked(kind=Kind.MEANING, subject="snorf")),
        ("cant remember ch 12, what happened", Asked(kind=Kind.CHAPTER, chapter=12)),
        ("sorry joined late, what have i missed", Asked(kind=Kind.RECAP)),
        ("what happened in chapter 3 again i was on the train lol", Asked(kind=Kind.CHAPTER, chapter=3)),
    ],
)
def test_the_clause_that_asks_is_found(question: str, found: Asked) -> None:
    assert asked(question) == found


@pytest.mark.parametrize(
    "question",
    [
        "Hallam hid the key, what happened?",
        "so i skipped a bit, how did Ethan hurt his leg?",
        "Who is Hallam, and why did he lie?",
        "We know, Denis.",
        "the kid who teased her took the key, why?",
        "where was the key when i read that",
    ],
)
def test_what_is_asked_of_the_story_is_searched(question: str) -> None:
    assert asked(question) is None


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("hang on whos the palmer", Asked(kind=Kind.WHO, subject="the palmer")),
        ("who tf is de bracy", Asked(kind=Kind.WHO, subject="de bracy")),
        ("bildad - who dat", Asked(kind=Kind.NAME, subject="bildad")),
        ("daggoo lol who", Asked(kind=Kind.WHO, subject="daggoo")),
        ("will stutely again?", Asked(kind=Kind.NAME, subject="will stutely")),
        ("i keep forgetting who Lacey is", Asked(kind=Kind.WHO, subject="Lacey")),
        ("who was mr arrow and what was he like", Asked(kind=Kind.WHO, subject="mr arrow")),
        ("whats a harpooneer mean here", Asked(kind=Kind.MEANING, subject="harpooneer")),
        ("whats a partisan in this context", Asked(kind=Kind.MEANING, subject="partisan")),
        ("whats spermaceti", Asked(kind=Kind.MEANING, subject="spermaceti")),
        ("what did ch 13 cover", Asked(kind=Kind.CHAPTER, chapter=13)),
        ("remind me what happened in vii", Asked(kind=Kind.CHAPTER, chapter=7)),
        (
            "what happened in chapter 36 the quarter deck",
            Asked(kind=Kind.CHAPTER, chapter=36, subject="the quarter deck"),
        ),
        ("ok so remind me whats been going on up to now", Asked(kind=Kind.RECAP)),
        ("recap pls its been two weeks", Asked(kind=Kind.RECAP)),
        ("need a catch up, been away 3 weeks", Asked(kind=Kind.RECAP)),
        ("quick summary of where we're at before book club tonight?", Asked(kind=Kind.RECAP)),
        ("where are we rn", Asked(kind=Kind.STOPPED)),
        ("how far did we get", Asked(kind=Kind.STOPPED)),
        ("whats left of this chapter", Asked(kind=Kind.HOW_FAR)),
        ("how close are we to finishing this chapter", Asked(kind=Kind.HOW_FAR)),
        ("remind me where front de boeuf first appears", Asked(kind=Kind.FIRST, subject="front de boeuf")),
        ("first mention of rowena?", Asked(kind=Kind.FIRST, subject="rowena")),
        ("what was that last bit we read", Asked(kind=Kind.JUST_NOW)),
    ],
)
def test_talk_is_no_part_of_the_question(question: str, found: Asked) -> None:
    assert asked(question) == found
