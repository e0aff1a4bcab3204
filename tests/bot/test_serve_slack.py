"""`thusfar serve` on Slack, alone and beside Discord: it answers, it stops when told to, it says what is wrong."""

import asyncio
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import build
from core.domain.conversation import Author
from core.domain.thread import Thread
from tests.bot.program import Program
from tests.bot.running import environment, thusfar
from tests.bot.test_serve import ended
from tests.platform_servers.discord.fixtures import discord_server
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.slack.faults import held
from tests.platform_servers.slack.fixtures import slack_server
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer

__all__ = ["discord_server", "slack_server"]

SAID = "Slack: thusfar listens in Readers. Ctrl-C ends it.\n"


@asynccontextmanager
async def serving(server: SlackServer, *words: str, **settings: str) -> AsyncIterator[Program]:
    """The program, pointed at the loopback Slack by its settings alone."""
    named = {
        "SLACK_BOT_TOKEN": server.token,
        "SLACK_APP_TOKEN": server.app_token,
        "SLACK_API_BASE": server.api_base,
    }
    with Program("serve", *words, env=environment(**(named | settings))) as program:
        yield program


async def import_book(home: Path, small_book: Path, scope: str, club: Club) -> None:
    application = build(Settings(thusfar_home=home))
    book = (await application.library.add(small_book, scope=scope, title="Small")).book
    await application.threads.use(Thread(scope=scope, place=club.channel.id, thread=""), book_id=book.book_id)
    ada = Author(member_id="slack:U1", display_name="Ada")
    await application.clubs().positions.set(
        await application.threads.club(Thread(scope=scope, place=club.channel.id, thread="")),
        text="3",
        member=ada,
        confirmed=True,
    )
    await application.close()


@pytest.mark.parametrize("words", [(), ("slack",)], ids=["serve", "serve slack"])
async def test_it_answers_and_a_signal_lets_the_turn_under_way_end(
    slack_server: SlackServer, small_book: Path, own_home: Path, words: tuple[str, ...]
) -> None:
    club = slack_server.add_club()
    await import_book(own_home, small_book, f"slack:{slack_server.platform.team_id}", club)
    async with serving(slack_server, *words) as program:
        await slack_server.connected()
        slow = slack_server.fail_next("chat.postMessage", held())
        asked = slack_server.mention(club.channel, club.ada, "Who lit the lamp?")
        await slack_server.wait_for(lambda: slack_server.calls_of("chat.postMessage"))
        program.send_signal(signal.SIGTERM)
        slow.release()
        code, err = await ended(program)
    assert (code, err) == (0, SAID)
    (answer,) = slack_server.replies_to(asked)
    assert "lit the lamp" in answer.content


async def test_http_serves_where_there_is_no_app_token(slack_server: SlackServer) -> None:
    club = slack_server.add_club()
    named = {"SLACK_APP_TOKEN": "", "SLACK_SIGNING_SECRET": slack_server.signing_secret}
    async with serving(slack_server, SLACK_HOST="127.0.0.1", SLACK_PORT="0", **named) as program:
        line = (await asyncio.to_thread(program.stderr.readline)).decode()
        said = re.fullmatch(r"Slack: thusfar listens in Readers, at port (\d+)\..*\n", line)
        assert said is not None
        slack_server.use_http(f"http://127.0.0.1:{said[1]}/slack/events")
        slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.whispered(club.channel, club.ada)
        program.send_signal(signal.SIGTERM)
        assert await ended(program) == (0, "")


async def test_both_platforms_are_served_by_one_process(
    slack_server: SlackServer, discord_server: DiscordServer
) -> None:
    club, other = slack_server.add_club(), discord_server.add_club()
    named = {"DISCORD_TOKEN": discord_server.token, "DISCORD_API_BASE": discord_server.api_base}
    async with serving(slack_server, **named) as program:
        await slack_server.connected()
        await discord_server.wait_for(lambda: discord_server.gateway.sessions)
        slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.whispered(club.channel, club.ada)
        asked = discord_server.say(other.channel, other.ada, f"{discord_server.bot.mention} Who?")
        await discord_server.answer_to(asked)
        program.send_signal(signal.SIGTERM)
        code, err = await ended(program)
    assert code == 0
    assert sorted(err.splitlines()) == ["Discord: thusfar listens in 1 server. Ctrl-C ends it.", SAID.strip()]


@pytest.mark.parametrize("name", ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"])
async def test_a_wrong_token_is_one_line_and_exit_1(slack_server: SlackServer, name: str) -> None:
    async with serving(slack_server, "slack", **{name: "xoxb-of-somebody-else"}) as program:
        code, err = await ended(program)
    assert code == 1
    assert err.count("\n") == 1
    assert name in err
    assert "somebody" not in err


async def test_a_wrong_token_of_one_platform_ends_the_other_too(
    slack_server: SlackServer, discord_server: DiscordServer
) -> None:
    named = {"DISCORD_TOKEN": "of.somebody.else", "DISCORD_API_BASE": discord_server.api_base}
    async with serving(slack_server, **named) as program:
        code, err = await ended(program)
    assert code == 1
    assert "DISCORD_TOKEN" in err


@pytest.mark.parametrize(
    ("words", "settings", "says"),
    [
        (["serve"], {}, "Neither DISCORD_TOKEN nor SLACK_BOT_TOKEN is set"),
        (["serve", "slack"], {}, "SLACK_BOT_TOKEN is not set"),
        (["serve", "discord"], {"SLACK_BOT_TOKEN": "xoxb-1"}, "DISCORD_TOKEN is not set"),
        (["serve", "slack"], {"SLACK_BOT_TOKEN": "xoxb-1"}, "Neither SLACK_APP_TOKEN"),
        (["serve", "slack"], {"SLACK_API_BASE": "ftp://somewhere"}, "SLACK_API_BASE is invalid"),
        (["serve", "slack"], {"SLACK_CHANNELS": "C1, #books"}, "SLACK_CHANNELS is invalid"),
        (["serve", "slack"], {"SLACK_PORT": "99999"}, "SLACK_PORT is invalid"),
    ],
)
def test_what_is_not_set_or_wrong_is_named(
    monkeypatch: pytest.MonkeyPatch, words: list[str], settings: dict[str, str], says: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    line = thusfar(*words).failed_in_one_line()
    assert says in line
    assert "somewhere" not in line
