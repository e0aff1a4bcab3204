"""Buttons: they survive a restart, are checked when pressed, and are removed when they no longer apply."""

from adapters.platform.buttons import NOT_VALID
from adapters.platform.services import PlatformServices
from bot.wiring import Application
from tests.adapters.discord.conftest import ReadBook, Running
from tests.adapters.discord.using import buttons, labels, page_of, watched
from tests.platform_servers.discord.faults import held
from tests.platform_servers.discord.interactions import Interaction
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Message, Person


async def _move(server: DiscordServer, club: Club, to: str, *, user: Person | None = None) -> Message:
    """Move the page; return the public line."""
    count = len(server.by_bot(club.channel))
    server.slash("setpage", {"to": to}, user=user or club.ada, channel=club.channel)
    return (await server.posted(club.channel, count + 1))[-1]


async def _press(server: DiscordServer, custom_id: str, message: Message, user: Person) -> Interaction:
    """Press a button whose answer is a private message."""
    pressed = server.press(custom_id, message=message, user=user)
    await server.wait_for(lambda: pressed.followups)
    return pressed


async def test_two_presses_at_once_undo_once(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    read_book: ReadBook,
    house: Application,
    services: PlatformServices,
) -> None:
    await read_book()
    slow, commands = watched(services)
    async with running(services=slow):
        await _move(discord_server, club, "1")
        line = await _move(discord_server, club, "0")
        commands.open.clear()
        presses = [discord_server.press("tf1:.undo", message=line, user=one) for one in (club.ada, club.ben)]
        await discord_server.wait_for(lambda: all(one.response for one in presses))
        commands.open.set()
        await discord_server.wait_for(lambda: any(one.followups for one in presses))
        await discord_server.wait_for(lambda: not labels(line))
    assert commands.ran.count(".undo") == 2
    assert sorted(len(one.followups) for one in presses) == [0, 1]
    assert len(club.channel.texts) == 3
    assert await page_of(house, club.channel) == 1


async def test_a_button_is_checked_when_it_is_pressed(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with running():
        line = await _move(discord_server, club, "1")
        discord_server.mention(club.channel, club.organiser, "pagecontrol organisers")
        await discord_server.posted(club.channel, 2)
        refused = await _press(discord_server, "tf1:.undo", line, club.ben)
        assert refused.followups[0].content == "In this club only organisers move the page. `/mypage` moves your own."
        assert refused.followups[0].is_ephemeral
        assert (labels(line), await page_of(house, club.channel)) == (["Undo", "Only for me"], 1)
        discord_server.press("tf1:.undo", message=line, user=club.organiser)
        await discord_server.wait_for(lambda: not labels(line))
    assert await page_of(house, club.channel) == 2


async def test_a_press_that_is_too_late_or_unknown_does_nothing(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with running():
        line = await _move(discord_server, club, "1")
        discord_server.press("tf1:.undo", message=line, user=club.ben, too_late=True)
        await discord_server.wait_for(lambda: [one for one in discord_server.calls if one.code == 10062])
        buttons(line)[0]["custom_id"] = "tf0:.undo:1"
        pressed = discord_server.press("tf0:.undo:1", message=line, user=club.ben)
        await discord_server.wait_for(lambda: pressed.texts)
        assert pressed.texts == [NOT_VALID]
        assert await page_of(house, club.channel) == 1
        await _move(discord_server, club, "0")
    assert await page_of(house, club.channel) == 0


async def test_a_line_that_cannot_be_edited_keeps_its_buttons_and_the_press_its_effect(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with running():
        line = await _move(discord_server, club, "1")
        fault = discord_server.fail_next("POST", "/channels/{channel}/messages", held())
        pressed = discord_server.press("tf1:.undo", message=line, user=club.ada)
        await discord_server.wait_for(lambda: not any(plan.left for plan in discord_server.rest.plans))
        pressed.is_expired = True
        fault.release()
        await discord_server.wait_for(lambda: [one for one in discord_server.calls if one.code == 50027])
    assert len(club.channel.texts) == 2
    assert labels(line) == ["Undo", "Only for me"]
    assert await page_of(house, club.channel) == 2
