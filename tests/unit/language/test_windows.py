"""Windows of whole sentences: all of the text, in order, none too short, a question never without its answer."""

from hypothesis import given
from hypothesis import strategies as st

from core.language.chunking import windows

_TEN = "The keeper lit the lamp over the grey sea again."
_ASKS = "“But who will light it when you are gone away?”"


def test_a_window_is_whole_sentences_until_there_are_enough_words() -> None:
    assert windows(" ".join([_TEN] * 7)) == [" ".join([_TEN] * 3), " ".join([_TEN] * 4)]


@given(
    st.lists(st.sampled_from([_TEN, _ASKS, "“No.”", "\n\n", "夜の本。", "🎉", "Mr. Vane"]), max_size=40).map(" ".join)
)
def test_every_word_is_in_one_window_in_its_order(text: str) -> None:
    assert " ".join(windows(text)).split() == text.split()
