"""Which questions are of a kind that needs no search, as members type them."""

import time

import pytest

from core.understanding.ahead import asks_ahead, asks_the_end
from core.understanding.asked import Asked, Kind
from core.understanding.kinds import asked


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
        ("who r the ppl so far", Kind.CAST, ""),
        ("who is this Walton guy", Kind.WHO, "Walton"),
        ("mattie who?", Kind.WHO, "mattie"),
        ("whats been going on lately", Kind.JUST_NOW, ""),
        ("what happened recently?", Kind.JUST_NOW, ""),
        ("what did we read last time", Kind.JUST_NOW, ""),
        ("how far am i into the chapter", Kind.HOW_FAR, ""),
        ("how much longer is this chapter", Kind.HOW_FAR, ""),
        ("who the heck is Gregson", Kind.WHO, "Gregson"),
        ("anyone remember who Mrs. Medlock was", Kind.WHO, "Mrs. Medlock"),
        ("i cant remember who Teddy is", Kind.WHO, "Teddy"),
        ("what just went on", Kind.JUST_NOW, ""),
        ("what's happening right now", Kind.JUST_NOW, ""),
        ("what was the last chapter about", Kind.LAST_CHAPTER, ""),
        ("what is this chapter about?", Kind.THIS_CHAPTER, ""),
        ("tl;dr so far?", Kind.RECAP, ""),
        ("bring me up to speed", Kind.RECAP, ""),
        ("can you fill us in?", Kind.RECAP, ""),
        ("whats 'wick' supposed to mean", Kind.MEANING, "wick"),
        ("who is M. Krempe again, sorry", Kind.WHO, "M. Krempe"),
        ("first time Squire Trelawney shows up?", Kind.FIRST, "Squire Trelawney"),
        ("can i get a quick recap", Kind.RECAP, ""),
        ("im lost, can you catch me up", Kind.RECAP, ""),
        ("who all is in this book", Kind.CAST, ""),
        ("names of the main characters?", Kind.CAST, ""),
        ("where'd we leave off", Kind.STOPPED, ""),
        ("where are we up to", Kind.STOPPED, ""),
        ("which page am i on", Kind.STOPPED, ""),
        ("wheres our bookmark", Kind.STOPPED, ""),
        ("who's this Marvel character", Kind.WHO, "Marvel"),
        ("who was Brigham Young in the book", Kind.WHO, "Brigham Young"),
        ("i missed last week, what happened", Kind.RECAP, ""),
        ("what did the last chapter say", Kind.LAST_CHAPTER, ""),
        ("is there much left of the chapter", Kind.HOW_FAR, ""),
        ("how many pages more in this chapter", Kind.HOW_FAR, ""),
        ("what happened right before this", Kind.JUST_NOW, ""),
        ("define buggy", Kind.MEANING, "buggy"),
        ("Job Anderson? who is that", Kind.WHO, "Job Anderson"),
        ("Ruth Varnum, who's she", Kind.WHO, "Ruth Varnum"),
        ("need a recap real quick", Kind.RECAP, ""),
        ("what happened in the chapter before this one", Kind.LAST_CHAPTER, ""),
        ("am i near the end of the chapter", Kind.HOW_FAR, ""),
        ("how many characters are there and who", Kind.CAST, ""),
        ("give me the lowdown on Mr. Fenn", Kind.NAME, "Mr. Fenn"),
        ("the old gardener, whats he like", Kind.NAME, "the old gardener"),
        ("what sort of a person is Mrs. Aske", Kind.NAME, "Mrs. Aske"),
        ("describe martha for me", Kind.NAME, "martha"),
        ("Ben Weatherstaff = who?", Kind.NAME, "Ben Weatherstaff"),
        ("i forgot everything about Lacey", Kind.NAME, "Lacey"),
        ("where'd we first run into ben weatherstaff", Kind.FIRST, "ben weatherstaff"),
        ("whereabouts did the robin first appear", Kind.FIRST, "the robin"),
        ("what page was martha introduced on", Kind.FIRST, "martha"),
        ("where in the book did Dr. Craven come in", Kind.FIRST, "Dr. Craven"),
        ("“wuthering” - meaning?", Kind.MEANING, "wuthering"),
        ("definition of ayah", Kind.MEANING, "ayah"),
        ("what are galoshes?", Kind.MEANING, "galoshes"),
        ("Trelawney... who was that", Kind.NAME, "Trelawney"),
        ("what do i need to know about ben gunn", Kind.NAME, "ben gunn"),
        ("what have we read so far", Kind.RECAP, ""),
        ("whats happened until now?", Kind.RECAP, ""),
        ("what happened in the chapter we just finished", Kind.LAST_CHAPTER, ""),
        ("who was denis eady again im blanking", Kind.WHO, "denis eady"),
        ("refresh me on Harmon Gow", Kind.NAME, "Harmon Gow"),
        ("whats mattie like as a person", Kind.NAME, "mattie"),
        ("first page with Mattie on it?", Kind.FIRST, "Mattie"),
        ("where have we seen denis eady before", Kind.FIRST, "denis eady"),
        ("i fell behind, what did i miss", Kind.RECAP, ""),
        ("where should i continue reading", Kind.STOPPED, ""),
        ("gimme the gist so far", Kind.RECAP, ""),
        ("remind me of the plot up to now", Kind.RECAP, ""),
        ("ive been away, whats happened", Kind.RECAP, ""),
        ("havent read in two weeks where are we and what happened", Kind.RECAP, ""),
        ("whats the last thing that happened", Kind.JUST_NOW, ""),
        ("what did i read yesterday", Kind.JUST_NOW, ""),
        ("where was i", Kind.STOPPED, ""),
        ("how far are we in the book", Kind.STOPPED, ""),
        ("pages to go in the chapter?", Kind.HOW_FAR, ""),
        ("is this chapter nearly done", Kind.HOW_FAR, ""),
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
    [
        ("what happend in chaper 3", 3),
        ("What happens in chapter XII?", 12),
        ("recap of chapter two", 2),
        ("ch. 4?", 4),
        ("whats chapter 5 about", 5),
        ("what was chapter 8 about again", 8),
        ("what's in chapter 3?", 3),
    ],
)
def test_a_chapter_is_told_by_its_number_however_it_is_spelled(question: str, chapter: int) -> None:
    assert asked(question) == Asked(kind=Kind.CHAPTER, chapter=chapter)


@pytest.mark.parametrize(
    ("question", "called", "chapter", "end"),
    [
        ("what happened in letter 2?", "letter", 2, ""),
        ("whats letter III about", "letter", 3, ""),
        ("recap of stave one pls", "stave", 1, ""),
        ("what went on in the third scene", "scene", 3, ""),
        ("summarise the third chapter", "", 3, ""),
        ("what was the 6th chapter about?", "", 6, ""),
        ("how did chapter 8 end", "", 8, "ends"),
        ("what happens at the start of chaper 9", "", 9, "begins"),
    ],
)
def test_what_a_book_calls_its_chapters_is_understood_and_which_end_of_one(
    question: str, called: str, chapter: int, end: str
) -> None:
    assert asked(question) == Asked(kind=Kind.CHAPTER, called=called, chapter=chapter, end=end)


def test_a_prologue_is_asked_for_by_its_name() -> None:
    assert asked("what's the prologue about") == Asked(kind=Kind.CHAPTER, called="prologue")


def test_the_end_of_the_last_chapter_is_asked_for() -> None:
    assert asked("how did the last chapter end") == Asked(kind=Kind.LAST_CHAPTER, end="ends")


@pytest.mark.parametrize(
    "question",
    [
        "",
        "Who killed William?",
        "who was Hallam with",
        "What did Mary say about Dickon?",
        "Where did Mary meet Dickon?",
        "which means yes lol",
        "We know, Denis.",
        "who wrote the letter to Ada",
        "what does the first letter say about the ledger",
        "what happened to it",
        "what happened to him?",
        "which page is that",
        "what will happen",
        "where did they leave her",
        "what was left on the table",
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


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("what happens in chapter 4 i skipped it oops", Asked(kind=Kind.CHAPTER, chapter=4)),
        ("i lost track, who's Gregson", Asked(kind=Kind.WHO, subject="Gregson")),
        ("sorry im blanking, denis eady?? who's that", Asked(kind=Kind.WHO, subject="denis eady")),
        ("rance = ? i forgot", Asked(kind=Kind.NAME, subject="rance")),
        ("and zeena is...? his wife right?", Asked(kind=Kind.NAME, subject="zeena")),
        ("can sb tell me whos ruth varnum pls", Asked(kind=Kind.WHO, subject="ruth varnum")),
        ("Could you kindly tell me who Madame Charpentier is?", Asked(kind=Kind.WHO, subject="Madame Charpentier")),
        ("hey who is this stangerson guy supposed to be", Asked(kind=Kind.WHO, subject="stangerson")),
        ("when do we 1st bump into lestrade", Asked(kind=Kind.FIRST, subject="lestrade")),
        ("where did that drebber fella come in to it first", Asked(kind=Kind.FIRST, subject="drebber")),
        ("how many pgs till this chapters done", Asked(kind=Kind.HOW_FAR)),
        ("is it much longer to the end of this chapter or nah", Asked(kind=Kind.HOW_FAR)),
        ("uh where were we last time", Asked(kind=Kind.STOPPED)),
        ("Would you be so good as to summarise what we have read thus far?", Asked(kind=Kind.RECAP)),
        ("what's an ulster, he puts one on to follow the old lady", Asked(kind=Kind.MEANING, subject="ulster")),
        ("define condonement as its used here", Asked(kind=Kind.MEANING, subject="condonement")),
        ("commissionaire is what, like a cop?", Asked(kind=Kind.MEANING, subject="commissionaire")),
        ("facsimile - watsons ring - huh?", Asked(kind=Kind.MEANING, subject="facsimile")),
        ('"repercussions" in that bit w the cat, meaning?', Asked(kind=Kind.MEANING, subject="repercussions")),
    ],
)
def test_what_goes_along_with_a_question_is_not_asked(question: str, found: Asked) -> None:
    assert asked(question) == found


@pytest.mark.parametrize(
    "question",
    [
        "I forgot what Hallam said to Lacey",
        "so i skipped a bit, how did Ethan hurt his leg?",
        "Where did the key turn up?",
        "who forgot the key",
        "Who is Hallam, and why did he lie?",
    ],
)
def test_what_happened_is_searched_whatever_goes_along_with_it(question: str) -> None:
    assert asked(question) is None


@pytest.mark.parametrize("mark", ["-", "?", "'", "(", ".", ", ", "-?"])
def test_nothing_but_marks_is_told_at_once(mark: str) -> None:
    began = time.process_time()
    assert asked(mark * 4_000) is None
    assert time.process_time() - began < 5
