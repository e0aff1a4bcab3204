"""What the watch makes of the labelled posts of fixtures/watch: no innocent one is told, and enough of the others.

`python -m benchmarks.watch` prints the figures and what was told wrongly.
"""

import asyncio

import pytest

from benchmarks.watch import Looked, look, read_posts

_LEAST_TOLD = 0.35


@pytest.fixture(scope="module")
def looked() -> list[Looked]:
    """The posts with what was certain about them; those on practice books where these are here."""
    return asyncio.run(look(read_posts()))


def test_each_post_stands_once_and_each_half_has_posts_of_every_kind() -> None:
    posts = read_posts()
    assert len(posts) == len({post.id for post in posts}) == len({post.text for post in posts})
    for half in ("written-on", "held-out"):
        own = [post for post in posts if post.half == half]
        assert len([post for post in own if post.book == "sample"]) >= 60
        assert min(sum(post.reveals is None for post in own), sum(post.reveals is not None for post in own)) >= 40


def test_what_a_post_gives_away_lies_between_its_thread_and_its_writer() -> None:
    for post in read_posts():
        if post.reveals is not None and post.is_further:
            assert post.page < post.reveals <= post.own_page, post.id


def test_no_innocent_post_is_told(looked: list[Looked]) -> None:
    assert [each.post.text for each in looked if each.signal is not None and each.post.reveals is None] == []


def test_enough_of_what_gives_something_away_is_told(looked: list[Looked]) -> None:
    leaks = [each for each in looked if each.post.reveals is not None and each.post.is_further]
    assert sum(each.signal is not None for each in leaks) >= _LEAST_TOLD * len(leaks)
