"""The real discord.py registers commands and answers them: at once, deferred, in time and too late."""

from collections.abc import AsyncIterator

import discord
import pytest
import pytest_asyncio
from discord import app_commands

from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import Right
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.trial_bot import running
from tests.platform_servers.discord.trial_commands import CommandBot
from tests.platform_servers.discord.world import EPHEMERAL, LOADING


@pytest_asyncio.fixture
async def bot(discord_server: DiscordServer, club: Club) -> AsyncIterator[CommandBot]:
    commands = CommandBot()
    async with running(commands, discord_server):
        yield commands


@pytest.mark.usefixtures("bot")
async def test_a_command_is_answered_in_the_channel(discord_server: DiscordServer, club: Club) -> None:
    used = discord_server.slash("setpage", {"page": 12}, user=club.ada, channel=club.channel)
    await discord_server.responded(used)
    assert used.texts == ["page 12"]
    assert club.channel.texts == ["page 12"]
    assert used.response is not None
    assert used.response["type"] == 4


async def test_a_deferred_command_shows_its_answer_when_it_has_one(
    discord_server: DiscordServer, club: Club, bot: CommandBot
) -> None:
    bot.carry_on.clear()
    used = discord_server.slash("ask", {"question": "why?", "quietly": False}, user=club.ada, channel=club.channel)
    await discord_server.wait_for(lambda: used.original)
    assert used.original is not None
    assert used.original.flags == LOADING
    assert (used.texts, discord_server.by_bot(club.channel)) == ([], [])
    bot.carry_on.set()
    await discord_server.wait_for(lambda: len(used.messages) == 2)
    assert club.channel.texts == ["an answer to why?", "and more"]


async def test_an_ephemeral_answer_is_seen_by_the_asker_alone(
    discord_server: DiscordServer, club: Club, bot: CommandBot
) -> None:
    used = discord_server.slash("ask", {"question": "why?"}, user=club.ada, channel=club.channel)
    await discord_server.wait_for(lambda: len(used.messages) == 2)
    assert [one.flags for one in used.messages] == [EPHEMERAL, EPHEMERAL]
    assert club.channel.texts == []
    assert bot.heard == []


@pytest.mark.usefixtures("bot")
async def test_the_first_follow_up_takes_the_place_of_what_was_deferred(
    discord_server: DiscordServer, club: Club
) -> None:
    used = discord_server.slash("book use", {"title": "emma"}, user=club.organiser, channel=club.channel)
    await discord_server.responded(used)
    assert used.texts == ["using emma"]
    assert used.followups == []
    assert used.messages[0].is_ephemeral


@pytest.mark.usefixtures("bot")
async def test_autocomplete_offers_choices(discord_server: DiscordServer, club: Club) -> None:
    asked = discord_server.autocomplete(
        "book use", {"title": "em"}, focused="title", user=club.organiser, channel=club.channel
    )
    await discord_server.responded(asked)
    assert asked.choices == [{"name": "Emma", "value": "emma"}]


@pytest.mark.usefixtures("bot")
async def test_a_command_takes_an_attachment(discord_server: DiscordServer, club: Club) -> None:
    file = discord_server.upload("emma.txt", b"Emma Woodhouse")
    used = discord_server.slash("book add", {"file": file}, user=club.organiser, channel=club.channel)
    await discord_server.responded(used)
    assert used.texts == ["emma.txt: 14 bytes"]


@pytest.mark.usefixtures("bot")
async def test_a_command_works_in_a_dm(discord_server: DiscordServer, club: Club) -> None:
    used = discord_server.slash("setpage", {"page": 3}, user=club.ada, channel=discord_server.dm(club.ada))
    await discord_server.responded(used)
    assert used.texts == ["page 3"]


@pytest.mark.usefixtures("bot")
async def test_buttons_edit_answer_defer_and_open_forms(discord_server: DiscordServer, club: Club) -> None:
    used = discord_server.slash("setpage", {"page": 12}, user=club.ada, channel=club.channel)
    message = (await discord_server.responded(used)).messages[0]
    sources = discord_server.press("sources", message=message, user=club.ben)
    await discord_server.responded(sources)
    form = discord_server.press("form", message=message, user=club.ada)
    await discord_server.responded(form)
    sent = discord_server.submit(form, {"page": "14"})
    await discord_server.responded(sent)
    discord_server.press("quiet", message=message, user=club.ada)
    await discord_server.wait_for(lambda: message.content == "quietly")
    discord_server.press("undo", message=message, user=club.ada)
    await discord_server.wait_for(lambda: message.content == "undone")
    assert (sources.texts, sent.texts) == (["p. 12"], ["page 14"])
    assert message.contents == ["page 12", "quietly", "undone"]
    assert message.components == []


async def test_a_response_after_three_seconds_is_unknown(
    discord_server: DiscordServer, club: Club, bot: CommandBot
) -> None:
    late = discord_server.slash("setpage", {"page": 1}, user=club.ada, channel=club.channel, too_late=True)
    await bot.until(lambda: bot.failed)
    assert isinstance(bot.failed[0], discord.NotFound)
    assert bot.failed[0].code == 10062
    assert (late.response, late.texts, club.channel.texts) == (None, [], [])


async def test_a_token_that_has_expired_takes_nothing_more(
    discord_server: DiscordServer, club: Club, bot: CommandBot
) -> None:
    bot.carry_on.clear()
    used = discord_server.slash("ask", {"question": "why?"}, user=club.ada, channel=club.channel)
    await discord_server.wait_for(lambda: used.response)
    used.is_expired = True
    bot.carry_on.set()
    await bot.until(lambda: bot.failed)
    assert isinstance(bot.failed[0], discord.HTTPException)
    assert (bot.failed[0].status, bot.failed[0].code) == (401, 50027)
    assert used.texts == []


async def test_the_original_is_read_and_deleted_through_the_token(
    discord_server: DiscordServer, club: Club, bot: CommandBot
) -> None:
    used = discord_server.slash("setpage", {"page": 1}, user=club.ada, channel=club.channel)
    await discord_server.responded(used)
    path = f"/webhooks/{discord_server.bot.id}/{used.token}/messages/@original"
    read = await bot.http.request(discord.http.Route("GET", path))
    await bot.http.request(discord.http.Route("DELETE", path))
    with pytest.raises(discord.NotFound) as gone:
        await bot.http.request(discord.http.Route("GET", path))
    assert read["content"] == "page 1"
    assert gone.value.code == 10008
    assert (club.channel.texts, used.texts) == ([], [])


async def test_a_thread_archived_meanwhile_takes_no_public_answer(
    discord_server: DiscordServer, club: Club, bot: CommandBot
) -> None:
    thread = discord_server.create_thread(club.channel, club.ada, "Old")
    bot.carry_on.clear()
    used = discord_server.slash("ask", {"question": "?", "quietly": False}, user=club.ada, channel=thread)
    await discord_server.wait_for(lambda: used.response)
    discord_server.archive(thread)
    bot.carry_on.set()
    await bot.until(lambda: bot.failed)
    assert isinstance(bot.failed[0], discord.HTTPException)
    assert bot.failed[0].code == 50083
    with pytest.raises(AssertionError, match="archived"):
        discord_server.slash("ask", {"question": "?"}, user=club.ada, channel=thread)


async def test_a_second_response_is_refused(discord_server: DiscordServer, club: Club, bot: CommandBot) -> None:
    used = discord_server.slash("setpage", {"page": 1}, user=club.ada, channel=club.channel)
    await discord_server.responded(used)
    route = discord.http.Route(
        "POST", "/interactions/{webhook_id}/{webhook_token}/callback", webhook_id=used.id, webhook_token=used.token
    )
    with pytest.raises(discord.HTTPException) as refused:
        await bot.http.request(route, json={"type": 4, "data": {"content": "again"}})
    assert refused.value.code == 40060
    assert used.texts == ["page 1"]


@pytest.mark.parametrize("kind", [6, 7, 8, 1])
async def test_a_command_is_not_answered_as_something_else(
    discord_server: DiscordServer, club: Club, bot: CommandBot, kind: int
) -> None:
    used = discord_server.slash("nothing", user=club.ada, channel=club.channel, unchecked=True)
    await bot.until(lambda: bot.failed)
    assert isinstance(bot.failed[0], app_commands.CommandNotFound)
    route = discord.http.Route(
        "POST", "/interactions/{webhook_id}/{webhook_token}/callback", webhook_id=used.id, webhook_token=used.token
    )
    with pytest.raises(discord.HTTPException) as refused:
        await bot.http.request(route, json={"type": kind, "data": {}})
    assert refused.value.code == 50035


@pytest.mark.usefixtures("bot")
async def test_people_can_only_do_what_discord_lets_them(discord_server: DiscordServer, club: Club) -> None:
    def slash(command: str, **options: int | str) -> None:
        discord_server.slash(command, options, user=club.ada, channel=club.channel)

    for command, options, why in (
        ("nothing", {}, "no command /nothing"),
        ("setpage", {}, "needs"),
        ("setpage", {"page": "12"}, "is of kind 4"),
        ("setpage", {"page": 1000}, "at most 999"),
        ("setpage", {"chapter": 1}, "no option chapter"),
        ("book", {}, "is a group"),
        ("book use", {"title": "x"}, "does not show"),
    ):
        with pytest.raises(AssertionError, match=why):
            slash(command, **options)
    rights = Right.MANAGE_THREADS | Right.USE_APPLICATION_COMMANDS
    used = discord_server.slash("book use", {"title": "x"}, user=club.ada, channel=club.channel, permissions=rights)
    assert (await discord_server.responded(used)).texts == ["using x"]
    used = discord_server.slash("setpage", {"page": 12}, user=club.ada, channel=club.channel)
    message = (await discord_server.responded(used)).messages[0]
    for custom_id, why in (("nothing", "there are"), ("disabled", "is disabled")):
        with pytest.raises(AssertionError, match=why):
            discord_server.press(custom_id, message=message, user=club.ada)
