"""What was made of a row is given again while the row is the same, and of one that has changed made anew."""

from collections.abc import Sequence

from adapters.persistence.prepared import KeptRows, Record


def _record(row: Sequence[object]) -> Record:
    return tuple(row)


def _kept(*, most: int = 3) -> tuple[KeptRows[list[object]], list[Record]]:
    made: list[Record] = []

    def make(record: Record) -> list[object]:
        made.append(record)
        return list(record)

    return KeptRows(make, most=most), made


def test_a_row_that_is_still_the_same_is_not_made_again() -> None:
    kept, made = _kept()
    first, again = kept.of((1, "What it says"), _record), kept.of((1, "What it " + "says"), _record)
    assert again is first == [1, "What it says"]
    assert len(made) == 1


def test_a_row_that_has_changed_is_made_anew_and_kept_as_it_is_now() -> None:
    kept, made = _kept()
    kept.of((1, "said", None), _record)
    assert kept.of((1, "said", 7), _record) == [1, "said", 7]
    assert kept.of((1, "said", 7), _record) == [1, "said", 7]
    assert made == [(1, "said", None), (1, "said", 7)]


def test_rows_beyond_the_bound_are_let_go_of_the_oldest_first() -> None:
    kept, made = _kept(most=2)
    for number in (1, 2, 3):
        kept.of((number,), _record)
    kept.of((3,), _record)
    kept.of((2,), _record)
    assert len(made) == 3
    kept.of((1,), _record)
    assert len(made) == 4
