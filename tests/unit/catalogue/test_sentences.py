"""Sentences for members, looked up in the language of whoever reads them."""

from gettext import GNUTranslations
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from core.catalogue.sentences import read_in, say, say_count


def _german() -> GNUTranslations:
    catalog = Catalog(locale="de")
    catalog.add("The page is already at p. {page}.", "Die Seite ist schon bei S. {page}.")
    catalog.add(("{number} page of {title}", "{number} pages of {title}"), ("{number} Seite", "{number} Seiten"))
    written = BytesIO()
    write_mo(written, catalog)
    written.seek(0)
    return GNUTranslations(written)


def test_values_stand_in_place_of_their_names() -> None:
    assert say("The page is already at p. {page}.", page="xii") == "The page is already at p. xii."
    assert say("The page is already at p. {page}.", page="{title}") == "The page is already at p. {title}."
    assert say("Braces {} stay where there is no value.") == "Braces {} stay where there is no value."


def test_a_value_that_is_missing_is_refused() -> None:
    with pytest.raises(KeyError):
        say("{page} of {title}", page=1)


@pytest.mark.parametrize(("number", "told"), [(0, "0 pages of M"), (1, "1 page of M"), (2, "2 pages of M")])
def test_a_number_chooses_its_form(number: int, told: str) -> None:
    assert say_count("{number} page of {title}", "{number} pages of {title}", number, title="M") == told


def test_another_language_holds_within_and_only_there() -> None:
    with read_in(_german()):
        assert say("The page is already at p. {page}.", page=3) == "Die Seite ist schon bei S. 3."
        assert say_count("{number} page of {title}", "{number} pages of {title}", 2, title="M") == "2 Seiten"
        assert say("Not translated yet.") == "Not translated yet."
        assert say("") == ""
    assert say("The page is already at p. {page}.", page=3) == "The page is already at p. 3."
