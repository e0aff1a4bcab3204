"""How copies with other numbers are stored."""

import pytest

from adapters.persistence.reading_states import edition_as_json, edition_from_json
from core.domain.copy_numbers import Unit
from core.domain.edition import Edition, KnownPoint


@pytest.mark.parametrize("unit", Unit)
def test_a_copy_of_each_unit_is_read_back(unit: Unit) -> None:
    edition = Edition(unit=unit, first_page=7, last_page=312, points=(KnownPoint(page=81, offset=9_000),))
    assert edition_from_json(edition_as_json(edition)) == edition


def test_a_copy_that_was_stored_before_units_has_pages() -> None:
    stored: dict[str, object] = {"first_page": 7, "last_page": 312, "points": [{"page": 81, "offset": 9_000}]}
    assert edition_from_json(stored) == Edition(
        unit=Unit.PAGES, first_page=7, last_page=312, points=(KnownPoint(page=81, offset=9_000),)
    )
