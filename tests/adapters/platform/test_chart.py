"""The progress chart: readable without colours, on light and dark, with any numbers."""

from io import BytesIO
from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from adapters.platform.chart import _CARD, _EMPTY, _GOAL, _QUIET, _READ, _WORDS, drawn
from core.domain.progress import PageMark, ProgressChart

_BAR = slice(212, 256)
"""The rows of the bar, if there is a goal above it."""


def _at(page: int, name: str = "") -> PageMark:
    return PageMark(page=page, name=name or str(page))


def _chart(**changed: Any) -> ProgressChart:
    told: dict[str, Any] = {"together": _at(60), "goal": _at(90), "section": (2, 6), "counted": (5, 7)}
    return ProgressChart(last=_at(197), **(told | changed))


def _seen(chart: ProgressChart) -> Image.Image:
    png = drawn(chart)
    assert png is not None
    return Image.open(BytesIO(png))


def _grey(chart: ProgressChart) -> Any:
    return np.asarray(_seen(chart).convert("L"), dtype=float)


def test_the_parts_of_the_bar_differ_without_colours() -> None:
    bar = _grey(_chart())[_BAR]
    read, to_come, rest = bar[:, 110:380], bar[:, 410:530], bar[:, 600:1100]
    assert abs(read.mean() - rest.mean()) > 50
    assert read.std() > 10
    assert to_come.std() > 10
    assert rest.std() < 2
    # Hatched runs across, dots stand apart: no row of the hatching is even, some rows between the dots are.
    assert read.std(axis=1).min() > 10
    assert to_come.std(axis=1).min() < 2


def test_members_at_the_page_and_behind_differ_without_colours() -> None:
    everybody, nobody = _grey(_chart(counted=(7, 7))), _grey(_chart(counted=(0, 7)))
    row = slice(-110, -20)
    assert abs(everybody[row, 700:] - nobody[row, 700:]).mean() > 3


def _light(colour: str) -> float:
    """Return the relative luminance as WCAG 2 defines it."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    darker, lighter = sorted((_light(one), _light(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_text_and_symbols_contrast_with_the_card() -> None:
    assert min(_contrast(colour, _CARD) for colour in (_WORDS, _QUIET, _GOAL)) >= 4.5
    assert min(_contrast(colour, _EMPTY) for colour in (_READ, _GOAL)) >= 3


def test_each_value_changes_the_picture() -> None:
    charts = [_chart(), _chart(own=_at(75)), _chart(goal=_at(120)), _chart(section=(3, 6)), _chart(counted=(4, 7))]
    pictures = [drawn(each) for each in charts]
    assert all(one != other for one, other in combinations(pictures, 2))
    assert drawn(_chart()) == drawn(_chart())


@settings(max_examples=10)
@given(
    last=st.integers(1, 3_000),
    shares=st.tuples(*[st.one_of(st.none(), st.floats(0, 1.2))] * 3),
    section=st.tuples(st.integers(1, 60), st.integers(0, 59)),
    counted=st.one_of(st.none(), st.tuples(st.integers(0, 90), st.integers(4, 90))),
)
def test_no_numbers_break_it(
    last: int,
    shares: tuple[float | None, ...],
    section: tuple[int, int],
    counted: tuple[int, int] | None,
) -> None:
    together, own, goal = (None if share is None else _at(int(share * last)) for share in shares)
    chart = ProgressChart(
        last=_at(last),
        together=together,
        own=own,
        goal=goal,
        section=(section[0], sum(section)),
        counted=counted and (min(counted), counted[1]),
    )
    assert _seen(chart).width == 1200
    assert len(chart.description) < 400
