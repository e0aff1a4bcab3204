"""Length in words, for scripts with and without spaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.sentences import unit_count, unit_ends


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("", []),
        ("He ran – home.", ["He", " ran", " –", " home."]),
        ("他说：“走了。”她来了！", ["他说：", "“走了。”", "她来", "了！"]),
        ("ภาษาไทยดี", ["ภาษาไท", "ยดี"]),
        ("x" * 40, ["x" * 40]),
        ("x" * 50, ["xxxxxx", "xxxxxx", "x" * 38]),
    ],
)
def test_a_text_is_divided_into_words_or_what_comes_near_them(text: str, units: list[str]) -> None:
    ends = unit_ends(text)
    assert [text[start:end] for start, end in zip([0, *ends], ends, strict=False)] == units


@given(st.text(max_size=200) | st.text("山ไa “。\n", max_size=200))
def test_the_count_is_that_of_the_ends_and_no_letter_is_left_out(text: str) -> None:
    ends = unit_ends(text)
    assert unit_count(text) == len(ends)
    assert not ends or not text[ends[-1] :].strip()
    assert bool(ends) == bool(text.strip())
