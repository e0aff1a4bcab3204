"""What was said of late: the thread in which nobody spoke for longest is let go of first."""

import pytest

from core.domain.conversation import Line
from core.understanding import listening
from core.understanding.listening import RecentLines


def test_a_thread_in_which_somebody_speaks_again_outlasts_one_that_is_only_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listening, "_MOST_THREADS", 2)
    recent_lines = RecentLines()
    recent_lines.add("spoken in again", Line(text="One."))
    recent_lines.add("looked at", Line(text="Two."))
    recent_lines.add("spoken in again", Line(text="Three."))
    assert [line.text for line in recent_lines.before("looked at")] == ["Two."]
    recent_lines.add("new", Line(text="Four."))
    assert not recent_lines.knows("looked at")
    assert [line.text for line in recent_lines.before("spoken in again")] == ["One.", "Three."]
