"""Which questions are of a kind that needs no search, as members type them."""

import pytest

from core.finders.kinds import Asked, Kind, asked, asks_ahead, asks_the_end


@pytest.mark.parametrize(
    ("question", "kind", "subject"),
    [
        ("Who is Hallam?", Kind.WHO, "Hallam"),
        ("who's Ben Weatherstaff again", Kind.WHO, "Ben Weatherstaff"),
        ("whats the old captain like", Kind.WHO, "the old captain"),
        ("Remind me who Mrs. Aske is", Kind.WHO, "Mrs. Aske"),
        ("what do we know about Leonard so far?", Kind.WHO, "Leonard"),
        ("where did we first meet Dickon?", Kind.FIRST, "Dickon"),
        ("When was the surveyor first mentioned?", Kind.FIRST, "the surveyor"),
        ("what does wick mean?", Kind.MEANING, "wick"),
        ("what's the meaning of the word ‘firkin’", Kind.MEANING, "firkin"),
        ("whats a shay?", Kind.MEANING, "shay"),
        ("Hallam?", Kind.NAME, "Hallam"),
        ("remind me Mrs. Aske pls", Kind.NAME, "Mrs. Aske"),
        ("What’s the book about?", Kind.RECAP, ""),
        ("does anyone know what galoshes are?", Kind.MEANING, "galoshes"),
        ("remind me what a steelyard is", Kind.MEANING, "steelyard"),
        ("wait which one was Lacey again", Kind.WHO, "Lacey"),
        ("does anybody remember who Mrs. Aske is?", Kind.WHO, "Mrs. Aske"),
        ("who has come up so far?", Kind.CAST, ""),
        ("Who have we met so far?", Kind.CAST, ""),
        ("whos in it so far", Kind.CAST, ""),
        ("who are all the people in this", Kind.CAST, ""),
        ("Remind me of the characters", Kind.CAST, ""),
        ("can you list the charachters pls", Kind.CAST, ""),
        ("whos who", Kind.CAST, ""),
        ("recap please", Kind.RECAP, ""),
        ("Can you catch us up?", Kind.RECAP, ""),
        ("what happened so far", Kind.RECAP, ""),
        ("What just happened?", Kind.JUST_NOW, ""),
        ("what happened in the last chapter?", Kind.LAST_CHAPTER, ""),
        ("summary of this chapter", Kind.THIS_CHAPTER, ""),
        ("where did we stop?", Kind.STOPPED, ""),
        ("Where are we?", Kind.STOPPED, ""),
        ("wheres we stop", Kind.STOPPED, ""),
        ("how far is it to the end of the chapter?", Kind.HOW_FAR, ""),
        ("How many pages are left in this chapter?", Kind.HOW_FAR, ""),
    ],
)
def test_kinds_are_told(question: str, kind: Kind, subject: str) -> None:
    assert asked(question) == Asked(kind=kind, subject=subject)


@pytest.mark.parametrize(
    ("question", "chapter"),
    [("what happend in chaper 3", 3), ("What happens in chapter XII?", 12), ("recap of chapter two", 2), ("ch. 4?", 4)],
)
def test_a_chapter_is_told_by_its_number_however_it_is_spelled(question: str, chapter: int) -> None:
    assert asked(question) == Asked(kind=Kind.CHAPTER, chapter=chapter)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "Who carried the compass?",
        "Where did they find the glove?",
        "What happened to the compass?",
        "Where did we hide it, according to Tobias, before the night of the storm and all that?",
        "What did the stranger mean by asking for the ledger?",
        "Why does he say so?",
        "Who is there?",
        "Who did we see at the concert?",
        "Which people knew of the ledger?",
        "What is a good reason to hide the ledger?",
        "Who is she?",
        "which one is red?",
        "what this is",
        "what happened is",
        "what does the word on the wall mean in english",
    ],
)
def test_others_need_a_search(question: str) -> None:
    assert asked(question) is None


def test_a_pronoun_stands_for_who_was_named_before() -> None:
    assert asked("Who is she?", about="Where did Mary meet Mrs. Aske?") == Asked(kind=Kind.WHO, subject="Mrs. Aske")


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("How does it end?", True),
        ("how does the book end", True),
        ("So how will this novel turn out?", True),
        ("What happens at the end?", True),
        ("what happens at the very end of the book", True),
        ("Does she get home in the end?", True),
        ("who marries whom in the end??", True),
        ("What’s the ending?", True),
        ("tell me the ending please", True),
        ("What happens at the end of chapter 3?", False),
        ("Who was at the door in the end?", False),
        ("What happened at the end?", False),
        ("Who sat at the end of the table?", False),
        ("How does Alice end up in the hall?", False),
    ],
)
def test_the_end_of_the_book_is_asked_for_or_another_one(question: str, is_so: bool) -> None:
    assert asks_the_end(question) is is_so


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("what happens next?", True),
        ("So what happens after this?", True),
        ("Who will we meet later on?", True),
        ("who haven’t we met yet", True),
        ("Does anybody die in the next ten pages?", True),
        ("what happens in the next chapter", True),
        ("what happened next?", False),
        ("What did he do next?", False),
        ("Who have we met?", False),
        ("Who lives in the next house?", False),
        ("What happens to the rest of the crew?", False),
    ],
)
def test_what_is_still_to_come_is_asked_for_or_what_was(question: str, is_so: bool) -> None:
    assert asks_ahead(question) is is_so
