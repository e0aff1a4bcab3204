"""Which other names show at which page."""

from core.domain.alias import Alias, visible

_FIRST = Alias(name="I", stands_for="Jim", page=12)
_LATER = Alias(name="i", stands_for="Ben", page=30)
_OTHER = Alias(name="Pew", stands_for="Jim", page=20)


def test_nothing_shows_before_the_page_at_which_it_was_said() -> None:
    assert visible([_LATER, _FIRST, _OTHER], 11) == []
    assert visible([_LATER, _FIRST, _OTHER], 12) == [_FIRST]


def test_of_one_name_shows_what_was_said_at_the_latest_page_read() -> None:
    assert visible([_LATER, _FIRST, _OTHER], 29) == [_FIRST, _OTHER]
    assert visible([_LATER, _FIRST, _OTHER], 30) == [_LATER, _OTHER]
