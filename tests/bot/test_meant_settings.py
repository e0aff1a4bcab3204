"""Settings that are nearly right: understood where that is safe, else named; none is passed over in silence."""

from pathlib import Path

import pytest

from bot.settings import load_settings
from tests.bot.running import thusfar


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("THUSFAR_GARD", "THUSFAR_GUARD"),
        ("THUSFAR_VERIFYER", "THUSFAR_VERIFIER"),
        ("THUSFAR_EMBEDDING", "THUSFAR_EMBEDDINGS"),
        ("THUSFAR_LOGLEVEL", "THUSFAR_LOG_LEVEL"),
        ("thusfar_modle", "THUSFAR_MODEL"),
    ],
)
@pytest.mark.parametrize("where", ["environment", ".env"])
def test_a_name_that_is_nearly_a_setting_is_refused(
    monkeypatch: pytest.MonkeyPatch, written: str, meant: str, where: str, own_home: Path
) -> None:
    if where == ".env":
        Path(".env").write_text(f"{written}=strict\n", encoding="utf-8")
    else:
        monkeypatch.setenv(written, "strict")
    assert meant in thusfar("books", "list").failed_in_one_line()
    assert not own_home.exists()


def test_names_of_others_are_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("THUSFAR_TEST_POSTGRES", "THUSFAR_SPOILER_BOOK", "THUSFAR_VERSION", "GUARD", "DISCORD_TOKENS"):
        monkeypatch.setenv(name, "x")
    assert load_settings().guard == "balanced"


@pytest.mark.parametrize("line", ["THUSFAR_GUARD strict", "THUSFAR_GUARD: strict", "THUSFAR_MODEL='x"])
def test_a_line_of_the_env_file_that_is_no_setting_is_named(line: str) -> None:
    Path(".env").write_text(f"THUSFAR_HOME=home\n\n# mine\n{line}\n", encoding="utf-8")
    said = thusfar("books", "list").failed_in_one_line()
    assert "Line 4 of " in said
    assert "strict" not in said


@pytest.mark.parametrize(
    "written",
    [
        b"THUSFAR_HOME=h\r\nTHUSFAR_GUARD=strict\r\n",
        b"\xef\xbb\xbfTHUSFAR_HOME='h'\nexport THUSFAR_GUARD=\"strict\" # always\n",
        b"  THUSFAR_HOME = h  \nTHUSFAR_GUARD= STRICT\nTHUSFAR_TURN_SECONDS=\n",
    ],
    ids=["crlf", "bom", "blanks"],
)
def test_an_env_file_is_read_however_it_was_written(written: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THUSFAR_HOME")
    Path(".env").write_bytes(written)
    settings = load_settings()
    assert (settings.guard, settings.thusfar_home, settings.turn_seconds) == ("strict", Path("h"), 90)


def test_what_ends_with_a_line_break_as_files_of_secrets_do_is_meant_without(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "DATABASE_URL", "THUSFAR_MODEL"):
        monkeypatch.setenv(name, f" {name.lower()}\n")
    settings = load_settings()
    assert settings.openai_api_key is not None
    assert settings.openai_api_key.get_secret_value() == "openai_api_key"
    assert (settings.database, settings.model) == ("database_url", "thusfar_model")


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        ("SLACK_CHANNELS", "#general", "C0123ABCD"),
        ("DISCORD_GUILDS", "My Club", "1049823471928374"),
        ("THUSFAR_LOG_LEVEL", "verbose", "'debug', 'info', 'warning' or 'error'"),
    ],
)
def test_a_wrong_value_is_answered_with_what_would_be_right(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, right: str
) -> None:
    monkeypatch.setenv(name, value)
    said = thusfar("books", "list").failed_in_one_line()
    assert said.startswith(f"{name} is invalid: ")
    assert right in said
    assert value not in said
