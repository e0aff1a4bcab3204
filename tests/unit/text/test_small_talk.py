"""Which messages ask nothing of the book, and which sentences tell nothing of it."""

import pytest

from core.text.small_talk import abstains, is_small_talk, states_nothing

_QUESTION = "Who killed Prewett at the weighbridge?"


@pytest.mark.parametrize(
    "message",
    [
        "Hello!", "Hi there", "Good morning, everybody", "Thanks, that was really helpful!", "thank you so much",
        "Who are you?", "So, what are you?", "What can you do?", "How do you work?", "Are you a bot?",
        "Hey, are you real?", "Thanks! Who are you?",
        "What’s your name?", "How are you doing?", "Can you help me?", "Goodbye, see you soon", "Hello?",
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


@pytest.mark.parametrize(
    "sentence",
    [
        "I can't say anything about that from the pages read so far.",
        "I cannot say anything about that from the pages read so far.",
        "The pages read so far do not say.",
        "The pages we've read don’t say who killed Prewett.",
        "Sorry, I don't know that yet.",
        "I'm afraid the passages do not mention it.",
        "The book has not told us yet.",
        "Nothing in the pages read so far says who killed Prewett.",
        "From the pages read so far, I can't tell.",
        "So far the text doesn't explain that.",
    ],
)
def test_a_denial_abstains(sentence: str) -> None:
    assert abstains(sentence, _QUESTION)


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "Prewett was not killed at the weighbridge.",
        "Nobody knows who killed Prewett.",
        "No, Prewett did not say.",
        "The pages do not say that Hallam did it.",
        "I can't say anything about that, for it comes in the last chapter, when Rudd confesses.",
        "The story does not say it, but Blades tells her brother.",
        "I don't know, but Enid does.",
        "Hallam can't say.",
        "You are welcome!",
    ],
)
def test_what_tells_something_is_no_denial(sentence: str) -> None:
    assert not abstains(sentence, _QUESTION)
