"""Who is meant by a name, how they were introduced, and who comes up at all: from read sentences alone."""

import pytest

from core.answering.extracts.cast import cast, people, places
from core.answering.extracts.character_card import listed, portrait
from core.answering.extracts.introductions import introduction
from core.answering.extracts.people import find_joined, find_known, find_mentions, find_somebody, near_names
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


def test_a_word_that_is_no_name_is_nobody_but_stands_where_it_stands() -> None:
    assert find_known(_read(), "chart") is None
    assert find_mentions(_read(), "Chart") is not None


@pytest.mark.parametrize(
    ("asked", "name"),
    [("Dr. Pym", "Doctor Pym"), ("Capt. Silver", "Silver"), ("Mr Craven", "Mr. Craven")],
)
def test_a_title_may_be_written_otherwise_or_be_left_out(asked: str, name: str) -> None:
    found = find_known(_read(), asked)
    assert found is not None
    assert found.name == name


def test_one_title_is_not_another() -> None:
    assert find_known(_read(3), "Mrs. Craven") is None
    assert find_known(_read(3), "Doctor Craven") is None
    assert find_known(_read(4), "Mrs. Craven") is not None


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


def test_what_goes_on_about_somebody_stands_with_it_and_what_is_about_another_does_not() -> None:
    pages = (
        "Her name was Mrs. Medlock. She was a stout woman with very red cheeks and sharp black eyes, in purple.",
        "There Basil said to all of them that on that day Lucy rode with her father. He had been a pioneer once.",
    )
    read = ReadText([Page(number=number, text=text) for number, text in enumerate(pages, start=1)])
    for name, count in (("Mrs. Medlock", 2), ("Lucy", 1)):
        found = find_known(read, name)
        assert found is not None
        assert len(introduction(read, found)) == count


def test_a_portrait_has_the_introduction_and_the_latest_sentence_once_each() -> None:
    found = find_known(_read(), "Ada")
    assert found is not None
    shown = portrait(_read(), found)
    assert shown.text.startswith("**Ada** 3 times, first (p. 3), last (p. 4)\n\n> In the evening Ada, the pilot,")
    assert shown.text.count("> Ada saw Silver in Marrow") == 1
    assert set(shown.pages) == {3, 4}
    once = find_known(_read(), "Gunn")
    assert once is not None
    assert portrait(_read(), once).text.count("> ") == 1


def test_the_cast_are_those_who_do_something_and_places_are_apart() -> None:
    assert sorted(_names()) == [
        ("Doctor Pym", 1),
        ("Hands", 1),
        ("Mr. Craven", 1),
        ("Mrs. Craven", 1),
        ("Silver", 5),
    ]
    assert listed(places(_read(), most=6)) == "- **Marrow** 4 times, first (p. 1), last (p. 4)"


def test_the_cast_goes_on_where_it_was_left() -> None:
    whole = [each.name for each in cast(_read(), most=12)]
    in_parts = [each.name for skipping in range(0, 12, 2) for each in cast(_read(), most=2, skipping=skipping)]
    assert sorted(in_parts) == sorted(whole)


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


def test_who_is_named_with_an_article_is_somebody_where_they_speak() -> None:
    text = (
        "“Oh dear,” said the Duchess. The cook saw the Duchess, and “Never,” the Duchess answered. The Duchess slept. "
        "Then the Hispaniola turned, and the Hispaniola lay still; and the Hispaniola went home with Mr. Hatter."
    )
    read = _of(text)
    assert people(read, 1, 1, most=9) == ["the Duchess", "Mr. Hatter"]
    assert [(each.name, each.total) for each in cast(read, most=9)] == [("the Duchess", 4), ("Mr. Hatter", 1)]


def test_who_is_named_with_an_article_is_counted_at_the_beginning_of_sentences_too() -> None:
    read = _of("“No,” said the Ape. “So,” said the Ape.", "The Ape slept.")
    assert [(each.name, each.total) for each in cast(read, most=9)] == [("the Ape", 3)]


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


def test_who_is_somebody_on_one_page_is_so_where_another_chapter_names_them_in_passing() -> None:
    read = _pages_of("“I never,” said Pew.", "Then they thought of Pew.")
    assert people(read, 2, 2, most=3) == ["Pew"]


def _pages_of(*texts: str) -> ReadText:
    return ReadText([Page(number=number, text=text) for number, text in enumerate(texts, 1)])


def test_who_only_ever_speaks_is_somebody_too() -> None:
    pages = ["Nobody came. “Well,” said Pew. “Indeed,” answered Pew. Then they saw Pew. It was in Bardley, at Bardley."]
    read = ReadText([Page(number=1, text=pages[0])], [])
    assert [each.name for each in cast(read, most=5)] == ["Pew"]


def test_what_tells_who_somebody_is_in_a_long_sentence_is_shown_as_a_stretch_of_it() -> None:
    noise = "a great deal of noise and much running to and fro, " * 8
    long = f"There was {noise}and there was Huxter, the general dealer."
    told = _introduced("Huxter", f"Over the way Huxter came out. {long}")
    assert told.startswith("… ")
    assert told.endswith("and there was Huxter, the general dealer.")
    assert len(told.split()) < 75


def _of(*texts: str) -> ReadText:
    return ReadText([Page(number=number, text=text) for number, text in enumerate(texts, start=1)])


@pytest.mark.parametrize(
    "described", ["the old prophet guy elijah", "elijah the ragged prophet", "elijah", "the sailor elijah"]
)
def test_a_name_is_found_in_a_description(described: str) -> None:
    found = find_somebody(_of("Then Elijah spoke, and he asked Elijah no more."), described)
    assert found is not None
    assert found.name == "Elijah"


@pytest.mark.parametrize("described", ["the man who met elijah", "the old friend of elijah"])
def test_a_name_in_a_description_may_be_of_somebody_else(described: str) -> None:
    assert find_somebody(_of("Then Elijah spoke, and he asked Elijah no more."), described) is None


def test_a_joined_name_is_one_name_and_found_without_its_hyphens() -> None:
    read = _of(
        "At noon Allan-a-Dale sang, and Brian de Bois-Guilbert laughed. Then Allan-a-Dale looked at Bois-Guilbert."
    )
    assert people(read, 1, 1, most=9) == ["Allan-a-Dale", "Bois-Guilbert"]
    found = find_somebody(read, "allan a dale")
    assert found is not None
    assert (found.name, found.total) == ("Allan-a-Dale", 2)


def test_a_word_is_found_that_the_book_writes_with_a_hyphen() -> None:
    found = find_joined(_of("He had a stout quarter-staff in his hand."), "quarterstaff")
    assert found is not None
    assert found.name == "quarter-staff"
    assert find_joined(_of("A quarter of the staff slept."), "quarterstaff") is None


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


def test_of_a_first_name_and_a_surname_that_are_one_name_the_commoner_is_listed() -> None:
    told = "At once Ethan laughed, and Ethan said no, and Frome sat down, and Frome spoke. Then came Ethan Frome. "
    assert people(_of(told * 3), 1, 1, most=9) == ["Ethan"]


def test_a_surname_that_two_share_is_nobody_of_theirs_alone() -> None:
    told = "At once Ethan laughed, and Ethan said no, and Frome sat down. Then came Ethan Frome with Zeena Frome. "
    assert people(_of(told * 3), 1, 1, most=9) == ["Ethan", "Frome"]


def test_a_place_that_does_something_now_and_then_is_nobody() -> None:
    sailed = "They sailed from Nantucket and slept in Nantucket. He came to Nantucket, and Nantucket was dark. "
    assert people(_of(sailed * 3), 1, 1, most=9) == []


def test_a_picture_s_caption_introduces_nobody() -> None:
    read = _of("Alice in the Room of the Duchess.\n\nShe ran on, and the Duchess, who was very ugly, sat on a stool.")
    mentions = find_somebody(read, "the Duchess")
    assert mentions is not None
    assert introduction(read, mentions)[0].text.startswith("She ran on")
    assert [each.is_heading for each in read.sentences(1, 1)] == [True, False]


@pytest.mark.parametrize("prose", ["It was Sherlock Holmes.", "Alice slept.", "I saw Alice in the Room of Glass."])
def test_a_short_paragraph_in_which_something_is_done_is_no_caption(prose: str) -> None:
    assert [each.is_heading for each in _of(f"{prose}\n\nShe ran on.").sentences(1, 1)] == [False, False]


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


def test_what_a_page_break_cuts_introduces_whole() -> None:
    read = _of("On his collar was engraved, in", "small letters: Gurth, the thrall of Cedric.")
    mentions = find_somebody(read, "gurth")
    assert mentions is not None
    assert [each.text for each in introduction(read, mentions)] == [
        "On his collar was engraved, in small letters: Gurth, the thrall of Cedric."
    ]
