"""Slash commands: core's registry as Discord shows it. Each is acknowledged first and carried out then."""

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands

from adapters.discord.calls import ask
from adapters.discord.interactions import acknowledge, surface_of, tell, undertake
from adapters.discord.render import PressButton
from adapters.discord.surface import file_host
from adapters.platform.surface import OfferedFile, OutOfReachError, RefusedError
from core.app.commands.values import Command, Suggestion
from core.domain.errors import ThusfarError

if TYPE_CHECKING:
    from adapters.discord.client import ThusfarClient
    from adapters.discord.interactions import Interaction

_log = logging.getLogger(__name__)

_MOST_OFFERED: Final = 25
_LONGEST: Final = 100
_TO_OFFER_S: Final = 2.0
_TO_REGISTER_S: Final = 10.0
_OPTIONS: Final = {
    "setpage": "to",
    "mypage": "to",
    "listen": "to",
    "pace": "of",
    "pagecontrol": "by",
    "edition": "copy",
    "calibrate": "words",
    "ask": "question",
    "chat": "question",
    "book use": "title",
    "book remove": "title",
}
"""What the one option of a command is called."""
_GROUPS: Final = {"book": "the books of this server, and which one is read here", "forget": "forget what was said"}
_ANOTHER_VERSION: Final = "That command is of another version of me; please try again in a little while."

AnyCommand = app_commands.Command[Any, ..., None]


async def install(client: "ThusfarClient") -> None:
    """Register the commands and buttons; Discord is told of the commands once a start, by one call."""
    tree = _Tree(client, allowed_installs=app_commands.AppInstallationType(guild=True, user=False))
    groups: dict[str, app_commands.Group] = {}
    for command in client.services.commands.listed():
        group, _, name = command.words.rpartition(" ")
        made = _made(command, name)
        if group and group not in groups:
            groups[group] = app_commands.Group(name=group, description=_GROUPS.get(group, group))
            tree.add_command(groups[group])
        (groups[group] if group else tree).add_command(made)
    client.add_dynamic_items(PressButton)
    try:
        await ask(tree.sync, replace(client.bot.retry, total=_TO_REGISTER_S))
    except (app_commands.AppCommandError, OutOfReachError, RefusedError) as error:
        _log.warning("Discord did not take the list of commands; those it knows go on working: %s", error)


class _Tree(app_commands.CommandTree["ThusfarClient"]):
    """Answers also what is not known here, as a command of an older version is."""

    async def on_error(self, interaction: "Interaction", error: app_commands.AppCommandError, /) -> None:
        _log.warning("Interaction %s could not be carried out: %s", interaction.id, error)
        if not interaction.response.is_done() and await acknowledge(interaction):
            await tell(interaction, interaction.client.bot, _ANOTHER_VERSION)


def _made(command: Command, name: str) -> AnyCommand:
    if command.words == "book add":
        return _adding_book(command, name)
    if not command.takes:
        return _without_text(command, name)
    if command.takes.startswith("["):
        return _with_optional_text(command, name)
    return _with_text(command, name)


def _without_text(command: Command, name: str) -> AnyCommand:
    async def callback(used: discord.Interaction[Any]) -> None:
        await _run(used, command.words, "")

    return app_commands.Command(name=name, description=command.help, callback=callback)


def _with_text(command: Command, name: str) -> AnyCommand:
    async def callback(used: discord.Interaction[Any], text: app_commands.Range[str, 1, 1000]) -> None:
        await _run(used, command.words, text)

    async def offer(used: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=one.label, value=one.text) for one in await _offered(used, command, typed)]

    if command.one_of:
        words = [app_commands.Choice(name=word, value=word) for word in command.one_of]
        callback = app_commands.choices(text=words)(callback)
    elif command.suggest is not None:
        callback = app_commands.autocomplete(text=offer)(callback)
    callback = app_commands.describe(text=command.takes)(callback)
    callback = app_commands.rename(text=_OPTIONS.get(command.words, "text"))(callback)
    return app_commands.Command(name=name, description=command.help, callback=callback)


def _with_optional_text(command: Command, name: str) -> AnyCommand:
    @app_commands.describe(text=command.takes.strip("[]").lower())
    async def callback(used: discord.Interaction[Any], text: app_commands.Range[str, 1, 1000] = "") -> None:
        await _run(used, command.words, text)

    callback = app_commands.rename(text=_OPTIONS.get(command.words, "text"))(callback)
    return app_commands.Command(name=name, description=command.help, callback=callback)


def _adding_book(command: Command, name: str) -> AnyCommand:
    @app_commands.describe(file="the book's text", title="what it is called, if the file does not say so")
    async def callback(
        used: discord.Interaction[Any], file: discord.Attachment, title: app_commands.Range[str, 1, 200] = ""
    ) -> None:
        client: ThusfarClient = used.client
        host = file_host(client.bot.options.api_base)

        async def offered() -> OfferedFile:
            return OfferedFile(name=file.filename, size=file.size, url=file.url)

        await undertake(used, lambda surface: client.uploads.add(surface, offered, host, title))

    return app_commands.Command(name=name, description=command.help, callback=callback)


async def _run(used: "Interaction", words: str, text: str) -> None:
    await undertake(used, lambda surface: used.client.commands.run(surface, words, text))


async def _offered(used: "Interaction", command: Command, typed: str) -> list[Suggestion]:
    """Return what fits Discord; nothing where core refuses or takes longer than somebody who types waits."""
    try:
        async with asyncio.timeout(_TO_OFFER_S):
            surface = await surface_of(used, used.client.bot)
            request = await used.client.commands.request(surface, typed, words=command.words)
            found = await used.client.services.commands.suggest(command.words, request)
    except (ThusfarError, TimeoutError) as error:
        _log.debug("Nothing to offer for %s: %s", command.words, error)
        return []
    fitting = [Suggestion(label=_cut(one.label), text=one.text) for one in found if len(one.text) <= _LONGEST]
    return fitting[:_MOST_OFFERED]


def _cut(label: str) -> str:
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"
