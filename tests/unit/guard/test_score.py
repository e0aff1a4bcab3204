"""The fitted trees are read from their file and walked as they are meant."""

import json

import pytest

from core.guard.score import fitted_score, read_fitted_score

_TREES = {
    "features": ["a", "b"],
    "base": 0.0,
    "split": [[0, 1, 0, 0, 0, 0, 0]],
    "thresholds": [[0.5, 2.0, 1e30, 1e30, 1e30, 1e30, 1e30]],
    "leaves": [[-3.0, 0.0, -1.0, 0.0, 4.0, 0.0, 0.0, 0.0]],
}
_LINES = {"balanced": 0.7, "strict": 0.2, "doubtful": 0.3, "grounded": 0.4, "slope": 2.0}
_WEIGHING = {"base": 0.5, "text": 0.25, "notes": 2.0}
_WRITTEN = {
    "about": "made up",
    "noted": _WEIGHING,
    "thresholds": _LINES,
    "noted_thresholds": _LINES | {"balanced": 0.6},
    "leaks": _TREES,
    "grounded": _TREES,
}


@pytest.mark.parametrize("key", ["noted", "thresholds", "noted_thresholds", "leaks", "grounded"])
def test_a_score_of_another_form_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="score of the guard"):
        read_fitted_score(json.dumps({name: value for name, value in _WRITTEN.items() if name != key}))


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_the_lines_are_in_order(share: float) -> None:
    lines, noted = fitted_score().thresholds.at(share), fitted_score().noted_thresholds.at(share)
    assert 0 < lines.strict < lines.doubtful < lines.balanced < 1
    assert 0 < noted.doubtful < noted.balanced < 1
    assert 0 < noted.strict < noted.balanced


def test_the_lines_fall_as_the_book_is_read_by_their_slope_in_log_odds() -> None:
    lines = read_fitted_score(json.dumps(_WRITTEN)).thresholds
    early, middle, late = (lines.at(share) for share in (0.0, 0.5, 1.0))
    assert early.balanced == pytest.approx(0.8638, abs=1e-4)
    assert middle.balanced == pytest.approx(0.7)
    assert late.balanced == pytest.approx(0.4619, abs=1e-4)
    assert early.strict > middle.strict > late.strict
    assert early.doubtful > middle.doubtful > late.doubtful
    assert early.grounded == late.grounded == 0.4
    assert late.at(0.0).balanced == pytest.approx(late.balanced)
