"""`thusfar setup`: from nothing to a bot that answers, in a terminal and without one, beside the platforms' servers."""

import asyncio
import json
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from dotenv import dotenv_values

from adapters.slack.manifest import manifest
from bot.env_file import EnvFile
from core.domain.messages import WELCOME
from tests.bot.program import Program
from tests.bot.running import Ran, environment
from tests.bot.terminal import CTRL_C, ENTER, Terminal
from tests.platform_servers.discord.connection import Intent
from tests.platform_servers.discord.fixtures import discord_server
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.slack.faults import refused
from tests.platform_servers.slack.fixtures import slack_server
from tests.platform_servers.slack.server import SlackServer
from tests.servers import anthropic_server
from tests.servers.anthropic_server import AnthropicServer, message_reply, text
from tests.servers.openai_server import CHAT, OpenAIServer, answer

__all__ = ["discord_server", "slack_server"]

_WRONG = "MTIzNDU2.of.somebody-else"
_WHERE = "Where does your club talk?"
_TOKEN = "DISCORD_TOKEN (hidden): "  # noqa: S105 (what is shown; the blank comes when the echo is off)
_TOLD = "# what I wrote myself\nTHUSFAR_LOG_LEVEL=error\n\n#DISCORD_TOKEN=\n"


class System:
    """The programs of the system that setup calls: each records its arguments and ends as the test says."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        folder.mkdir()
        for name in ("systemctl", "loginctl", "xdg-open"):
            self.ends(name, 1)
        patch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        patch.setenv("HOME", str(folder))
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            patch.delenv(name, raising=False)

    def ends(self, name: str, code: int) -> None:
        path = self._folder / name
        path.write_text(f'#!/bin/sh\necho "$@" >> "{self._folder}/{name}.calls"\nexit {code}\n', encoding="utf-8")
        path.chmod(0o755)

    def calls(self, name: str) -> list[str]:
        path = self._folder / f"{name}.calls"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    @property
    def unit(self) -> Path:
        return self._folder / ".config" / "systemd" / "user" / "thusfar.service"


@pytest.fixture(autouse=True)
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> System:
    """A system without systemd and without a screen."""
    return System(tmp_path / "system", monkeypatch)


@pytest.fixture
def notes_of_mine() -> Path:
    """A .env of old, which others may read."""
    path = Path(".env")
    path.write_text(_TOLD, encoding="utf-8")
    path.chmod(0o644)
    return path


@contextmanager
def setting_up(*words: str, **settings: str) -> Iterator[Terminal]:
    terminal = Terminal("setup", *words, **settings)
    try:
        yield terminal
    finally:
        terminal.close()


async def answers(terminal: Terminal, *talk: str) -> None:
    """Wait for each question and type what follows it; in a thread, since the server lives in this one's loop."""
    for question, typed in zip(talk[::2], talk[1::2], strict=True):
        await asyncio.to_thread(terminal.wait_for, question)
        terminal.type(typed + ENTER)


async def ended(terminal: Terminal) -> int:
    return await asyncio.to_thread(terminal.wait_for_end)


async def without_terminal(*words: str, typed: str = "", **settings: str) -> Ran:
    def run() -> Ran:
        with Program("setup", *words, env=environment(**settings)) as program:
            return program.ran(typed.encode())

    return await asyncio.to_thread(run)


def kept() -> dict[str, str | None]:
    """What is in .env, which only its owner may read."""
    path = Path(".env")
    if not path.exists():
        return {}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    return dotenv_values(path)


def of_discord(server: DiscordServer) -> dict[str, str]:
    return {"DISCORD_API_BASE": server.api_base}


async def test_discord_from_nothing_to_the_welcome(discord_server: DiscordServer, notes_of_mine: Path) -> None:
    discord_server.gateway.allowed = Intent(0)
    with setting_up(**of_discord(discord_server)) as terminal:
        await answers(terminal, _WHERE, "", _TOKEN, _WRONG)
        await asyncio.to_thread(terminal.wait_for, "TO DO discord: Discord doesn't accept DISCORD_TOKEN")
        await answers(terminal, _TOKEN, "")
        assert await ended(terminal) == 130
        assert not terminal.shown.count(_WRONG)
        assert await asyncio.to_thread(notes_of_mine.read_text, encoding="utf-8") == _TOLD
    with setting_up(**of_discord(discord_server)) as terminal:
        await answers(terminal, _WHERE, "discord", _TOKEN, discord_server.token, "Message Content intent is off", "")
        discord_server.gateway.allowed = Intent.MESSAGE_CONTENT
        club = discord_server.add_club()
        club.guild.members[discord_server.bot.id].joined = datetime.now(UTC)
        await answers(terminal, "in 1 server", "", "Model?", "", "Start it now?", "y")
        await discord_server.posted(club.channel, 1)
        terminal.type(CTRL_C)
        assert await ended(terminal) == 0
    assert discord_server.by_bot(club.channel)[0].content == WELCOME
    assert kept() == {"THUSFAR_LOG_LEVEL": "error", "DISCORD_TOKEN": discord_server.token}
    assert (await asyncio.to_thread(notes_of_mine.read_text, encoding="utf-8")).startswith(_TOLD)
    assert f"client_id={discord_server.bot.id}" in terminal.shown
    assert discord_server.token not in terminal.shown
    assert "Traceback" not in terminal.shown


async def test_ctrl_c_loses_nothing_and_a_second_run_asks_for_nothing_twice(discord_server: DiscordServer) -> None:
    discord_server.add_club()
    with setting_up("discord", **of_discord(discord_server)) as terminal:
        await answers(terminal, _TOKEN, discord_server.token)
        await asyncio.to_thread(terminal.wait_for, "Model?")
        terminal.type(CTRL_C)
        assert await ended(terminal) == 130
        assert f"What was accepted is in {Path.cwd()}/.env; `thusfar setup` goes on from there." in terminal.shown
        assert "Traceback" not in terminal.shown
    assert kept() == {"DISCORD_TOKEN": discord_server.token}
    with setting_up("discord", **of_discord(discord_server)) as terminal:
        await answers(terminal, "Keep this DISCORD_TOKEN?", "", "Model?", "none", "Start it now?", "n")
        assert await ended(terminal) == 0
        assert "(hidden)" not in terminal.shown
    with setting_up("discord", **of_discord(discord_server)) as terminal:
        discord_server.platform.token = "another.token.of-it"  # noqa: S105 (made up)
        await answers(terminal, _TOKEN, "another.token.of-it", "Model?", "none", "now?", "n")
        assert await ended(terminal) == 0
    assert kept() == {"DISCORD_TOKEN": "another.token.of-it"}


async def test_slack_by_a_link_that_holds_the_manifest(slack_server: SlackServer, system: System) -> None:
    system.ends("xdg-open", 0)
    slack_server.grant(without=["files:read"])
    settings = {"SLACK_API_BASE": slack_server.api_base, "DISPLAY": ":7"}
    with setting_up(**settings) as terminal:
        await answers(terminal, _WHERE, "slack", "SLACK_BOT_TOKEN (hidden): ", slack_server.token)
        slack_server.fail_next("apps.connections.open", refused("socket_mode_not_enabled"))
        await answers(terminal, "SLACK_APP_TOKEN (hidden): ", slack_server.app_token)
        await asyncio.to_thread(terminal.wait_for, "Socket Mode is off")
        await answers(terminal, "SLACK_APP_TOKEN (hidden): ", slack_server.app_token, "missing: files:read", "n")
        await answers(terminal, "Model?", "none", "Start it now?", "n")
        assert await ended(terminal) == 0
    opened = [urlsplit(page) for page in system.calls("xdg-open")]
    assert [(page.hostname, page.path) for page in opened] == [("api.slack.com", "/apps")] * 2
    assert json.loads(parse_qs(opened[0].query)["manifest_json"][0]) == manifest()
    assert kept() == {"SLACK_BOT_TOKEN": slack_server.token, "SLACK_APP_TOKEN": slack_server.app_token}
    assert not {slack_server.token, slack_server.app_token} & set(terminal.shown.split())


async def test_a_model_is_asked_before_it_is_kept(discord_server: DiscordServer) -> None:
    discord_server.add_club()
    settings = of_discord(discord_server) | {"DISCORD_TOKEN": discord_server.token}
    async with OpenAIServer(strings_only=True) as server:
        server.will_answer(CHAT, answer("OK."))
        with setting_up("discord", **settings) as terminal:
            await answers(terminal, "Keep this", "", "Model?", "anthropic", "ANTHROPIC_API_KEY (hidden): ", "")
            await answers(terminal, "Model?", "local", "Address", "http://127.0.0.1:1/v1", "Its model", "llama-9")
            await answers(terminal, "Model?", "local", "Address", server.base_url, "Its model", "llama-9")
            await answers(terminal, "Start it now?", "n")
            assert await ended(terminal) == 0
    model = {"THUSFAR_PROVIDER": "openai", "OPENAI_BASE_URL": server.base_url, "THUSFAR_MODEL": "llama-9"}
    assert kept() == {"DISCORD_TOKEN": discord_server.token, **model}


async def test_a_key_is_tested_and_its_costs_can_be_limited(discord_server: DiscordServer) -> None:
    discord_server.add_club()
    async with AnthropicServer() as server:
        settings = of_discord(discord_server) | {"ANTHROPIC_BASE_URL": server.url}
        await without_terminal("discord", DISCORD_TOKEN=discord_server.token, **settings)
        with setting_up("discord", **settings) as terminal:
            await answers(terminal, "Keep this", "", "Model?", "anthropic", "ANTHROPIC_API_KEY (hidden): ", "sk-no")
            await asyncio.to_thread(terminal.wait_for, "TO DO model: ANTHROPIC_API_KEY is not accepted")
            server.will_answer("/v1/messages", message_reply(text("OK.")))
            await answers(terminal, "ANTHROPIC_API_KEY (hidden): ", anthropic_server.KEY, "US dollars a month", "2.5")
            await answers(terminal, "Start it now?", "n")
            assert await ended(terminal) == 0
        assert anthropic_server.KEY not in terminal.shown
        model = {"THUSFAR_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": anthropic_server.KEY}
        assert kept() == {"DISCORD_TOKEN": discord_server.token, **model, "THUSFAR_BUDGET_A_MONTH": "2.5"}
        with setting_up("discord", **settings) as terminal:
            await answers(terminal, "Keep this", "", "Model?", "none", "Start it now?", "n")
            assert await ended(terminal) == 0
    assert kept()["THUSFAR_PROVIDER"] == "none"


async def test_without_a_terminal_nothing_is_asked(discord_server: DiscordServer) -> None:
    settings = of_discord(discord_server)
    ran = await without_terminal(**settings)
    assert "DISCORD_TOKEN" in ran.failed_in_one_line()
    ran = await without_terminal("discord", **settings)
    assert "pass it in the environment, or with --stdin" in ran.failed_in_one_line()
    ran = await without_terminal("discord", DISCORD_TOKEN=_WRONG, **settings)
    assert _WRONG not in ran.failed_in_one_line()
    assert not kept()
    ran = await without_terminal("discord", DISCORD_TOKEN=discord_server.token, **settings)
    assert (ran.code, ran.err) == (0, "")
    assert discord_server.token not in ran.out
    assert f"client_id={discord_server.bot.id}" in ran.out
    assert kept() == {"DISCORD_TOKEN": discord_server.token}


async def test_lines_on_stdin_are_tested_and_kept(slack_server: SlackServer) -> None:
    settings = {"SLACK_API_BASE": slack_server.api_base}
    lines = f"SLACK_BOT_TOKEN={slack_server.token}\nSLACK_APP_TOKEN=xapp-{_WRONG}\nTHUSFAR_LOG_LEVEL=info\n"
    ran = await without_terminal("slack", "--stdin", typed=lines, **settings)
    assert ran.code == 1
    assert "SLACK_APP_TOKEN" in ran.err
    assert _WRONG not in ran.out + ran.err
    assert kept() == {"SLACK_BOT_TOKEN": slack_server.token}
    right = lines.replace(f"xapp-{_WRONG}", slack_server.app_token)
    ran = await without_terminal("slack", "--stdin", typed=right, **settings)
    assert (ran.code, ran.err) == (0, "")
    assert kept() == dict(line.split("=", 1) for line in right.splitlines())
    ran = await without_terminal("slack", "--stdin", typed="THUSFAR_LOG_LEVL=info", **settings)
    assert ran.failed_in_one_line() == "THUSFAR_LOG_LEVL is not a setting."


async def test_a_token_of_the_environment_that_wins_is_named(discord_server: DiscordServer) -> None:
    discord_server.add_club()
    with setting_up("discord", DISCORD_TOKEN=_WRONG, **of_discord(discord_server)) as terminal:
        await answers(terminal, _TOKEN, discord_server.token)
        await asyncio.to_thread(terminal.wait_for, "The environment has another DISCORD_TOKEN")


async def test_a_service_of_the_user(discord_server: DiscordServer, system: System, own_home: Path) -> None:
    discord_server.add_club()
    settings = of_discord(discord_server) | {"DISCORD_TOKEN": discord_server.token}
    ran = await without_terminal("discord", "--service", **settings)
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "has no systemd" in ran.err
    assert not system.unit.exists()
    system.ends("systemctl", 0)
    ran = await without_terminal("discord", "--service", **settings)
    assert (ran.code, ran.err) == (0, "")
    assert system.calls("systemctl")[1:] == [
        "--user show-environment", "--user daemon-reload", "--user enable thusfar", "--user restart thusfar",
    ]  # fmt: skip
    assert system.calls("loginctl") == ["enable-linger"]
    assert "sudo loginctl enable-linger" in ran.out
    unit = system.unit.read_text(encoding="utf-8")
    assert f"WorkingDirectory={Path.cwd()}\n" in unit
    assert f'Environment="THUSFAR_HOME={own_home}"\n' in unit
    assert discord_server.token not in unit
    assert discord_server.token not in "".join(system.calls("systemctl"))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
async def test_systemd_understands_the_unit(discord_server: DiscordServer, system: System, tmp_path: Path) -> None:
    system.ends("systemctl", 0)
    odd = tmp_path / 'a folder of 100%, "ours"'
    odd.mkdir()
    settings = of_discord(discord_server) | {"DISCORD_TOKEN": discord_server.token, "THUSFAR_HOME": str(odd)}
    ran = await without_terminal("discord", "--service", **settings)
    assert (ran.code, ran.err) == (0, "")
    checked = await asyncio.create_subprocess_exec(
        "systemd-analyze", "verify", str(system.unit), stderr=asyncio.subprocess.PIPE
    )
    _, complaints = await checked.communicate()
    home = f"{tmp_path}/a folder of 100%%, " + r"\"ours\""
    assert f'Environment="THUSFAR_HOME={home}"\n' in system.unit.read_text("utf-8")
    assert (checked.returncode, [line for line in complaints.decode().splitlines() if "thusfar" in line]) == (0, [])


@pytest.mark.parametrize("value", ["plain-1.2_3:/+=@~", "with 'quotes' and \\ # more", ""])
def test_what_is_kept_is_read_again(value: str) -> None:
    Path("elsewhere").write_text("A=1\n# note", encoding="utf-8")
    Path(".env").symlink_to("elsewhere")
    EnvFile().keep({"B": value, "A": "2"})
    assert dotenv_values(".env") == {"A": "2", **({"B": value} if value else {})}
    assert "# note\n" in Path("elsewhere").read_text(encoding="utf-8") + "\n"
    assert Path(".env").is_symlink()
