"""What is handed to those who run it: the units of systemd."""

from pathlib import Path

_DEPLOY = Path(__file__).resolve().parents[2] / "docs" / "deploy"


def _service(name: str) -> list[str]:
    """The settings of a unit's service, without what is said about them."""
    section = (_DEPLOY / name).read_text(encoding="utf-8").partition("[Service]\n")[2].partition("\n[Install]")[0]
    return [line for line in section.splitlines() if line and not line.startswith("#")]


def test_a_worker_is_kept_as_the_bot_is() -> None:
    own = [line for line in _service("thusfar-work@.service") if line not in _service("thusfar.service")]
    missing = [line for line in _service("thusfar.service") if line not in _service("thusfar-work@.service")]
    assert own == ["Environment=THUSFAR_METRICS_PORT=940%i", "ExecStart=/opt/thusfar/.venv/bin/thusfar work"]
    assert missing == ["ExecStart=/opt/thusfar/.venv/bin/thusfar serve"]
