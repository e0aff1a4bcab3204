"""Who is meant by a name, how they were introduced, and who comes up at all: from read sentences alone."""

import pytest

from core.answering.extracts.cast import cast, people, places
from core.answering.extracts.character_card import listed
from core.answering.extracts.introductions import introduction
from core.answering.extracts.people import find_known, find_somebody, near_names
from core.answering.extracts.read_text import ReadText
from core.answering.extracts.unread_words import is_unread_name, without_unread_names
from core.domain.book import Page

_PAGES = (
    "He kept a bar of silver in the drawer. Then Mr. Craven came to Marrow, and Silver said nothing to him at all.",
    "Long John Silver was the cook of the ship. I saw Silver again in Marrow, and Hands stood with his hands up.",
    "In the evening Ada, the pilot, asked Silver for the chart. She slept in Marrow by the ferry, and Doctor Pym knew.",
    "That night Mrs. Craven wept. Ada saw Silver in Marrow, and nobody spoke until old Gunn sang of the sea to Ada.",
)


def _read(position: int = 4) -> ReadText:
    return ReadText([Page(number=number, text=text) for number, text in enumerate(_PAGES[:position], start=1)])


def _names(position: int = 4) -> list[tuple[str, int]]:
    return [(each.name, each.total) for each in cast(_read(position), most=12)]


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("Aegir", "Ægir"),
        ("Oedipus", "Œdipus"),
        ("Œnone", "Oenone"),
        ("thora", "Þóra"),
        ("d'Artagnan", "d’Artagnan"),
        ("D'Artagnan", "d’Artagnan"),
    ],
)
def test_a_name_may_have_its_capital_in_two_letters_or_behind_a_prefix(typed: str, printed: str) -> None:
    read = ReadText([Page(number=1, text=f"In the morning they saw {printed} by the well, and {printed} laughed.")])
    found = find_known(read, typed)
    assert found is not None
    assert (found.name, found.total) == (printed, 2)


def test_a_name_is_not_the_word_that_is_written_like_it() -> None:
    found = find_known(_read(), "silver")
    assert found is not None
    assert (found.name, list(found.on_pages)) == ("Silver", [(1, 1), (2, 2), (3, 1), (4, 1)])
    of_the_hands = find_known(_read(), "Hands")
    assert of_the_hands is not None
    assert of_the_hands.total == 1


_CITY = [
    (
        "The main street was new. In New York, at the corner, Hebrew was read by Olive, and Olive laughed. One of "
        "the Jews said good night. A good deal was new to Olive. The first time was the last time, the next day "
        "the same."
    ),
    (
        "The captain, an old man, went up to the captain’s room. “New, sir,” said the captain. The captain was "
        "gone, and the new boat with him. The first boat, the last boat, the first rope, the last rope; the one "
        "in the water."
    ),
    (
        "The one was new, the one was old. The first man and the last man of the one. The one of them had a good "
        "new coat."
    ),
]
_NOBODY = """
here|new|the|one|the one|gone|alive|good|the first|the last|all this|that|the main players|everyone|it|who|what|him
the other one|new one|those|thre
"""


@pytest.mark.parametrize("page", [1, 2, 3])
@pytest.mark.parametrize(
    "subject",
    _NOBODY.replace("\n", "|").strip("|").split("|"),
)
def test_common_words_and_what_is_near_to_them_name_nobody(subject: str, page: int) -> None:
    read = ReadText([Page(number=number, text=text) for number, text in enumerate(_CITY[:page], start=1)])
    assert find_somebody(read, subject) is None
    assert near_names(read, subject, most=3) == []
    found = find_somebody(read, "the captain")
    assert (found is not None) == (page > 1)
    assert near_names(read, "Olivee", most=1) == ["Olive"]


@pytest.mark.parametrize(
    ("asked", "name"),
    [("Dr. Pym", "Doctor Pym"), ("Capt. Silver", "Silver"), ("Mr Craven", "Mr. Craven")],
)
def test_a_title_may_be_written_otherwise_or_be_left_out(asked: str, name: str) -> None:
    found = find_known(_read(), asked)
    assert found is not None
    assert found.name == name


def test_a_misspelt_name_is_near_to_a_read_one_alone() -> None:
    assert near_names(_read(), "Silvre", most=3) == ["Silver"]
    assert near_names(_read(), "Gun", most=3) == []
    assert find_known(_read(), "Silvre") is None
    found = find_somebody(_read(), "Silvre")
    assert found is not None
    assert found.name == "Silver"


@pytest.mark.parametrize(
    ("name", "page", "begins"),
    [
        ("Silver", 2, "Long John Silver was the cook"),
        ("Ada", 3, "In the evening Ada, the pilot,"),
        ("Gunn", 4, "Ada saw Silver in Marrow, and nobody spoke until old Gunn"),
    ],
)
def test_somebody_is_introduced_by_what_tells_who_they_are(name: str, page: int, begins: str) -> None:
    found = find_known(_read(), name)
    assert found is not None
    sentence = introduction(_read(), found)[0]
    assert (sentence.page, sentence.text[: len(begins)]) == (page, begins)


def test_the_cast_are_those_who_do_something_and_places_are_apart() -> None:
    assert sorted(_names()) == [
        ("Doctor Pym", 1),
        ("Hands", 1),
        ("Mr. Craven", 1),
        ("Mrs. Craven", 1),
        ("Silver", 5),
    ]
    assert listed(places(_read(), most=6)) == "- **Marrow** 4 times, first (p. 1), last (p. 4)"


def test_nobody_is_listed_who_comes_up_later() -> None:
    assert sorted(_names(2)) == [("Hands", 1), ("Mr. Craven", 1), ("Silver", 3)]


@pytest.mark.parametrize(
    ("question", "looked_for"),
    [
        ("What did Ottilie say to Silver?", "What did  say to Silver?"),
        ("Why did the Cravens and Mrs. Pym weep?", "Why did the Cravens and Mrs. Pym weep?"),
        ("What did Slver say?", "What did Slver say?"),
        ("what is a lighthouse", "what is a lighthouse"),
        ("Ottilie went where?", "Ottilie went where?"),
    ],
)
def test_a_name_that_was_never_read_is_not_looked_for(question: str, looked_for: str) -> None:
    assert without_unread_names(_read(), question) == looked_for


def _introduced(name: str, *pages: str) -> str:
    read = ReadText([Page(number=number, text=text) for number, text in enumerate(pages, start=1)])
    mentions = find_known(read, name)
    assert mentions is not None
    return " ".join(each.text for each in introduction(read, mentions))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Mr. Marvel", "You must picture Mr. Thomas Marvel as a person of flexible visage."),
        ("Mr. Bunting", "So he went up to Bunting the vicar. “Am I mad?”"),
        ("Silver", "Long John Silver he is called, and has lost a leg."),
        ("Dickon", "“Dickon’s a kind lad and animals like him.”"),
        ("Miss Dove", "Miss Catherine Dove had come to us in April. She taught book-keeping at the school."),
    ],
)
def test_who_somebody_is_goes_before_a_mere_mention(name: str, told: str) -> None:
    last = name.rsplit(maxsplit=1)[-1]
    mere = f"Then {name} looked up and said nothing to the others for a very long while, and so they all went home."
    assert told in _introduced(name, mere, f"On that day it rained. {told} And then it was dark.", f"Then {last} left.")


def test_another_of_the_same_surname_introduces_nobody() -> None:
    first = "Then Mick Rudd came down to the dock, and Mick Rudd shouted that the door was to be opened at once."
    again = "At night Mick Rudd came home, and his clothes were wet. Nobody had seen Mick Rudd on the dock at all."
    assert _introduced("Rudd", first, again, "On Sunday the widow Sheila Rudd, his mother, wept.") == first


def test_a_street_a_title_alone_and_what_has_an_article_and_no_voice_are_nobody() -> None:
    text = (
        "In the rain Ada said that the Corporation was late, and the Corporation had said so. Then Dock Road was shut, "
        "and Dock Road looked empty, and Dock Road had a smell. So Inspector said no, and again Inspector went home."
    )
    read = ReadText([Page(number=1, text=text)])
    assert [each.name for each in cast(read, most=9)] == ["Ada"]
    assert [each.name for each in places(read, most=9)] == ["Dock Road"]


def test_one_of_many_is_nobody_and_neither_is_a_style() -> None:
    text = (
        "“No,” said the Saxon. “Well,” said the Saxon again, for the Saxons were proud. “If it please Your Majesty,” "
        "and so said Your Majesty, and there said Your Majesty."
    )
    assert people(_of(text), 1, 1, most=9) == []


@pytest.mark.parametrize(
    ("told", "who"),
    [
        ("“I never,” said Pew. We hid from Pew all night.", ["Pew"]),
        ("“Come here, Jim,” he cried. “I saw the map, Jim.”", ["Jim"]),
        ("He met Redruth. She feared Redruth, and Redruth had the key.", ["Redruth"]),
        (
            "It was for Weights and Measures, and Weights and Measures had it. So Weights and Measures was told.",
            [],
        ),
        ("He went to the Hispaniola, for the Hispaniola was near, and the Hispaniola had sails.", []),
        ("They came up to Farm, and then Farm was dark, as Farm had been.", []),
        ("“He lives in Duncan Street, Houndsditch.” She wrote down: Mayfield Place, Peckham.", []),
        ("They fled from Austria, since Austria had fallen.", []),
        ("It was told to The Robin Who, as The Robin Who looked on.", []),
    ],
)
def test_somebody_is_told_by_what_they_say_or_by_being_spoken_to(told: str, who: list[str]) -> None:
    read = ReadText([Page(number=1, text=told)])
    assert [each.name for each in cast(read, most=9)] == who


def _of(*texts: str) -> ReadText:
    return ReadText([Page(number=number, text=text) for number, text in enumerate(texts, start=1)])


@pytest.mark.parametrize(
    "described", ["the old prophet guy elijah", "elijah the ragged prophet", "elijah", "the sailor elijah"]
)
def test_a_name_is_found_in_a_description(described: str) -> None:
    found = find_somebody(_of("Then Elijah spoke, and he asked Elijah no more."), described)
    assert found is not None
    assert found.name == "Elijah"


def test_a_surname_is_not_told_of_somebody_whose_first_name_was_never_read() -> None:
    read = _of("Then Mr. Craven spoke. They asked Mr. Craven again, and Archibald Craven smiled.")
    assert find_somebody(read, "lilias craven") is None
    assert find_somebody(read, "Lilias Craven") is None
    assert find_somebody(read, "archibald cravn") is not None


def test_a_name_with_an_unread_word_is_unread_and_a_misspelt_one_is_not() -> None:
    read = _of("Then Ben spoke to Silver, and Silver said that Ben was a good runner.")
    assert is_unread_name(read, "ben gunn")
    assert not is_unread_name(read, "silvre")
    assert not is_unread_name(read, "the one-legged man")


@pytest.mark.parametrize(
    ("name", "texts", "told"),
    [
        (
            "Queequeg",
            ("A man like Queequeg you don’t see every day.", "Queequeg was a native of an island far away."),
            "Queequeg was a native of an island far away.",
        ),
        (
            "Doctor Pym",
            ("He sat in Doctor Pym’s front room.", "Doctor Pym opened the door. She was a broad, slow woman."),
            "Doctor Pym opened the door. She was a broad, slow woman.",
        ),
        (
            "Safie",
            (
                "The father of Safie was a merchant.",
                "In the evening Safie, a lady of Smyrna, came up to the house at last.",
            ),
            "In the evening Safie, a lady of Smyrna, came up to the house at last.",
        ),
    ],
)
def test_who_somebody_is_is_told_of_themselves(name: str, texts: tuple[str, ...], told: str) -> None:
    read = _of(*texts)
    mentions = find_somebody(read, name)
    assert mentions is not None
    assert " ".join(each.text for each in introduction(read, mentions)) == told
