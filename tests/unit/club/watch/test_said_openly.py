"""What a post says openly: not what is hidden, quoted, linked, or somebody's name who is mentioned."""

from time import process_time

import pytest

from core.club.watch.watching import said_openly


@pytest.mark.parametrize(
    ("text", "openly"),
    [
        ("Ben Gunn is here", "Ben Gunn is here"),
        ("||Ben Gunn is here||", ""),
        ("so ||Ben\nGunn|| it is", "so \n\n it is"),
        ("so >!Ben Gunn!< it is", "so \n\n it is"),
        ("so >! >!Ben Gunn!< it is", "so >! \n\n it is"),
        ("half a pair || of bars", "half a pair || of bars"),
        ("> Ben Gunn said so\nI agree", "I agree"),
        ("I agree\n>>> Ben Gunn\nsaid so", "I agree"),
        ("```\nBen Gunn\n```", ""),
        ("see https://example.org/wiki/Ben_Gunn there", "see   there"),
        ("well :ben_gunn: done", "well   done"),
        ("@Ben Gunn did you finish?", "did you finish?"),
        ("@ada Silver is great", "is great"),
        ("a > b, and p. 3 > p. 2", "a > b, and p. 3 > p. 2"),
        ("", ""),
    ],
)
def test_what_is_said_openly(text: str, openly: str) -> None:
    assert said_openly(text) == openly


@pytest.mark.parametrize("part", [">!", "||", "|| a", "```", "@A ", ":a", "\t", "\n \t", "<http", ">>> "])
def test_the_longest_post_that_is_made_to_be_slow_takes_no_longer_than_another(part: str) -> None:
    text = part * (40_000 // len(part))
    began = process_time()
    said_openly(text)
    assert process_time() - began < 0.5
