"""Which messages ask nothing of the book, and which sentences tell nothing of it."""

import pytest

from core.guard.courtesies import is_courtesy, is_small_talk, matter, states_nothing


@pytest.mark.parametrize(
    "message",
    [
        "Hello!", "Hi there", "Good morning, everybody", "Thanks, that was really helpful!", "thank you so much",
        "Goodbye, see you soon", "Hello?",
    ],
)  # fmt: skip
def test_small_talk(message: str) -> None:
    assert is_small_talk(message)


@pytest.mark.parametrize(
    "message",
    [
        "", "?", "And then?", "Who is he?", "Who dies?", "What happens next?", "Yes or no?", "Thanks. Who is Hallam?",
        "Hello, does she come back?", "Are you Hallam?", "Who are you, Miss Dove?", "What can you do about Rudd?",
        "Good. Did he die?", "Hi, why is he sorry?", "Tell me everything", "Really?", "Hello, what happens at the end?",
        "Thanks! Is she happy at the end?", "What are you hiding about the bridge?",
    ],
)  # fmt: skip
def test_what_may_be_about_the_book(message: str) -> None:
    assert not is_small_talk(message)


@pytest.mark.parametrize(
    "sentence", ["You’re welcome!", "I am glad that helped.", "Hello, everybody.", "Happy to help."]
)
def test_a_courtesy_states_nothing(sentence: str) -> None:
    assert states_nothing(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Yes.",
        "No, thanks.",
        "He is sorry.",
        "I hope she comes back.",
        "She did.",
        "Hallam is happy.",
        "",
        "I’m sorry he dies.",
    ],
)
def test_what_may_tell_something_is_no_courtesy(sentence: str) -> None:
    assert not states_nothing(sentence)


@pytest.mark.parametrize("sentence", ["Thanks, sure, soon!", "Happy, very happy.", "Great, okay, always."])
def test_what_could_answer_a_question_is_no_courtesy_of_an_answer(sentence: str) -> None:
    assert states_nothing(sentence)
    assert not is_courtesy(sentence)
    assert is_courtesy("You’re welcome!")


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("", 0), ("Yes.", 0), ("He did.", 0), ("Prewett.", 0), ("It is Mr. Sam Prewett.", 0), ("12, or 13.", 0),
        ("Hallam, Enid and Rudd", 0), ("On the bridge.", 1), ("He dies.", 1),
        ("He does, though the pages don’t say so yet.", 0), ("The pages read so far do not say.", 0),
        ("Hallam keeps the weighbridge.", 3),
    ],
)  # fmt: skip
def test_words_of_matter_are_counted(sentence: str, count: int) -> None:
    assert matter(sentence) == count
