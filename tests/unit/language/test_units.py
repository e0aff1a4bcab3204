"""Length in words, for scripts with and without spaces."""

import pytest

from core.language.sentences import unit_ends


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
