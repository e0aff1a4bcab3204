"""Slash commands: core's registry as Discord shows it. Each is acknowledged first and carried out then."""

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands

from adapters.discord.books import BookUploads
from adapters.discord.buttons import PressButton, carry_out
from adapters.discord.chat import open_thread
from adapters.discord.posting import OUT_OF_REACH, retried
from adapters.discord.private import acknowledge, request_of, tell, undertake
from adapters.platform.books import BookShelf
from core.app.commands.values import Command, Suggestion
from core.domain.errors import ThusfarError

if TYPE_CHECKING:
    from adapters.discord.client import ThusfarClient
    from adapters.discord.private import Interaction

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
    shelf = BookShelf(client.services.book_commands, most_bytes=client.options.max_book_bytes)
    uploads = BookUploads(shelf, api_base=client.options.api_base)
    groups: dict[str, app_commands.Group] = {}
    for command in client.services.commands.listed():
        group, _, name = command.words.rpartition(" ")
        made = _made(command, name, uploads)
        if group and group not in groups:
            groups[group] = app_commands.Group(name=group, description=_GROUPS.get(group, group))
            tree.add_command(groups[group])
        (groups[group] if group else tree).add_command(made)
    client.add_dynamic_items(PressButton)
    try:
        await retried(tree.sync, replace(client.retry, total=_TO_REGISTER_S))
    except (discord.HTTPException, app_commands.AppCommandError, *OUT_OF_REACH) as error:
        _log.warning("Discord did not take the list of commands; those it knows go on working: %s", error)


class _Tree(app_commands.CommandTree["ThusfarClient"]):
    """Answers also what is not known here, as a command of an older version is."""

    async def on_error(self, interaction: "Interaction", error: app_commands.AppCommandError, /) -> None:
        _log.warning("Interaction %s could not be carried out: %s", interaction.id, error)
        if not interaction.response.is_done() and await acknowledge(interaction):
            await tell(interaction, _ANOTHER_VERSION)


def _made(command: Command, name: str, uploads: BookUploads) -> AnyCommand:
    if command.words == "book add":
        return _adding_book(command, name, uploads)
    if not command.takes:
        return _without_text(command, name)
    if command.takes.startswith("["):
        return _opening_thread(command, name)
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


def _opening_thread(command: Command, name: str) -> AnyCommand:
    @app_commands.describe(question="what to begin with")
    async def callback(used: discord.Interaction[Any], question: app_commands.Range[str, 1, 1000] = "") -> None:
        await undertake(used, lambda: carry_out(used, lambda: open_thread(used, question)))

    return app_commands.Command(name=name, description=command.help, callback=callback)


def _adding_book(command: Command, name: str, uploads: BookUploads) -> AnyCommand:
    @app_commands.describe(file="the book's text", title="what it is called, if the file does not say so")
    async def callback(
        used: discord.Interaction[Any], file: discord.Attachment, title: app_commands.Range[str, 1, 200] = ""
    ) -> None:
        await undertake(used, lambda: uploads.add(used, file, title))

    return app_commands.Command(name=name, description=command.help, callback=callback)


async def _run(used: "Interaction", words: str, text: str) -> None:
    await undertake(
        used,
        lambda: carry_out(used, lambda: used.client.services.commands.run(words, request_of(used, text, words=words))),
    )


async def _offered(used: "Interaction", command: Command, typed: str) -> list[Suggestion]:
    """Return what fits Discord; nothing where core refuses or takes longer than somebody who types waits."""
    try:
        async with asyncio.timeout(_TO_OFFER_S):
            found = await used.client.services.commands.suggest(
                command.words, request_of(used, typed, words=command.words)
            )
    except (ThusfarError, TimeoutError) as error:
        _log.debug("Nothing to offer for %s: %s", command.words, error)
        return []
    fitting = [Suggestion(label=_cut(one.label), text=one.text) for one in found if len(one.text) <= _LONGEST]
    return fitting[:_MOST_OFFERED]


def _cut(label: str) -> str:
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"
