"""Notes are read out of whatever form a model gives them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.library.note_answer import read_notes

_TWO = {1: ["Ada has a compass."], 2: ["Tobias keeps clocks.", "None of them agrees."]}
_ENTRIES = [{"page": page, "notes": notes} for page, notes in _TWO.items()]
_WHOLE = json.dumps({"pages": _ENTRIES}, indent=1)


@pytest.mark.parametrize(
    "answer",
    [
        _WHOLE,
        f"Here are the notes:\n```json\n{_WHOLE}\n```\nI hope this helps!",
        f"<think>{{'page': 9}} hm</think>{_WHOLE}",
        json.dumps(_ENTRIES),
        "\n".join(json.dumps(entry) for entry in _ENTRIES),
        json.dumps({str(page): notes for page, notes in _TWO.items()}),
        json.dumps({"notes": {"1": _TWO[1], "2": _TWO[2]}}),
        json.dumps([{"page": page, "note": note} for page, notes in _TWO.items() for note in notes]),
        _WHOLE.replace("]\n  }", "],\n  }"),
        _WHOLE.replace('"page": ', '"page": "').replace(',\n   "notes"', '",\n   "notes"'),
        _WHOLE[: _WHOLE.rindex("agrees.") + len('agrees."')],
        _WHOLE.replace("Tobias keeps", "- Tobias keeps"),
        _WHOLE.replace("Ada has a", "Ada \n has\t a"),
    ],
)
def test_notes_are_read_page_by_page(answer: str) -> None:
    assert read_notes(answer) == _TWO


def test_what_is_no_note_is_left_out() -> None:
    numbered = [f"Number {number} is told." for number in range(20)]
    notes = ["", "  ", "Short.", "x" * 501, 7, None, "Twice told.", "Twice told.", *numbered]
    found = read_notes(json.dumps({"page": 1, "notes": notes}))[1]
    assert found[:2] == ["Twice told.", "Number 0 is told."]
    assert len(found) == 10


_KEYS = st.sampled_from(["page", "notes", "pages", "1"])
_LEAVES = st.none() | st.integers() | st.text()


@given(st.recursive(_LEAVES, lambda inner: st.lists(inner) | st.dictionaries(_KEYS, inner)))
def test_any_json_can_be_read(value: object) -> None:
    assert all(isinstance(page, int) for page in read_notes(json.dumps(value)))
