"""Slash commands and forms: shows core's command registry on Discord. Each use is acknowledged before it runs."""

import logging
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from typing import Any, Concatenate, Final

import aiohttp
import discord
from discord import app_commands
from typing_extensions import override

from adapters.discord.bot import Bot
from adapters.discord.calls import ask
from adapters.discord.interactions import Interaction, acknowledge, surface_of, tell, undertake
from adapters.discord.listening import DiscordMessage, hidden_by, name_of
from adapters.discord.said import file_host
from adapters.platform.platform_app import PlatformApp
from adapters.platform.surface import OfferedFile, OutOfReachError, RefusedError
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Command, Option, OptionKind, Suggestion, Who
from core.domain.errors import NotPermittedError

_log = logging.getLogger(__name__)

_MOST_OFFERED: Final = 25
_LONGEST: Final = 100
_TO_REGISTER_S: Final = 10.0
_LONGEST_TITLE: Final = 45
_LONGEST_TEXT: Final = 1_000
_ANOTHER_VERSION: Final = sentence("That command belongs to another version of me. Please try again in a few minutes.")

AnyCommand = app_commands.Command[Any, ..., None]
Callback = Callable[Concatenate[Interaction, ...], Coroutine[Any, Any, None]]
"""A callback whose parameters after the first become the command's options; discord.py inspects them."""
OnMessage = Callable[[discord.Interaction[Any], discord.Message], Coroutine[Any, Any, None]]


async def install(bot: Bot, platform_app: PlatformApp[DiscordMessage]) -> None:
    """Register the commands and buttons; Discord gets the list of commands once per start, in one call."""
    tree = _Tree(bot)
    slash, groups = _SlashCommands(bot, platform_app), dict[str, app_commands.Group]()
    hidden = hidden_by(bot.options)
    for command in platform_app.services.commands.picked():
        group = command.group
        made = slash.made(command, name_of(command).rpartition(" ")[2])
        if group is None:
            made.default_permissions = None if command.who is Who.EVERYONE else hidden
            tree.add_command(made)
            continue
        if group.name not in groups:
            rights = hidden if group.for_organisers else None
            groups[group.name] = app_commands.Group(
                name=group.name, description=say(group.help), default_permissions=rights
            )
            tree.add_command(groups[group.name])
        groups[group.name].add_command(made)
        if command.beside_group:
            tree.add_command(slash.made(command, command.beside_group))
    for words, name in platform_app.services.commands.in_menus().items():
        tree.add_command(app_commands.ContextMenu(name=say(name), callback=slash.on_message(words)))
    try:
        await ask(tree.sync, replace(bot.retry, total=_TO_REGISTER_S))
    except (app_commands.AppCommandError, OutOfReachError, RefusedError) as error:
        _log.warning("Discord did not take the list of commands; the earlier list stays in use: %s", error)


class _Tree(app_commands.CommandTree[discord.Client]):
    """A command tree that also answers unknown commands, such as those of an older version."""

    def __init__(self, bot: Bot) -> None:
        super().__init__(bot.client, allowed_installs=app_commands.AppInstallationType(guild=True, user=False))
        self._bot = bot

    @override
    async def _call(self, interaction: Interaction) -> None:
        try:
            await super()._call(interaction)
        except app_commands.AppCommandError:
            raise
        except Exception as error:  # noqa: BLE001 (a bad event must end only its own command)
            _log.warning("Interaction %s can't be read: %s", interaction.id, type(error).__name__)

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        _log.warning("Interaction %s failed: %s", interaction.id, error)
        if not interaction.response.is_done() and await acknowledge(interaction):
            await tell(interaction, self._bot, say(_ANOTHER_VERSION))


class _SlashCommands:
    """Builds discord.py's commands from core's."""

    def __init__(self, bot: Bot, platform_app: PlatformApp[DiscordMessage]) -> None:
        self._bot = bot
        self._platform_app = platform_app

    def made(self, command: Command, name: str) -> AnyCommand:
        """Return the discord.py command, with the options that the core command takes."""
        if command.takes is None:
            callback = self._taking_nothing(command)
        elif command.takes.kind is OptionKind.FILE:
            callback = self._taking_file(command)
        else:
            callback = self._taking_text(command, command.takes)
        return app_commands.Command(name=name, description=say(command.help), callback=callback)

    def on_message(self, words: str) -> OnMessage:
        """Return the callback that runs a command on a message's text."""

        async def callback(used: discord.Interaction[Any], message: discord.Message) -> None:
            await self._run(used, words, message.content)

        return callback

    def _taking_nothing(self, command: Command) -> Callback:
        async def callback(used: discord.Interaction[Any]) -> None:
            await self._run(used, command.words, "")

        return callback

    def _taking_text(self, command: Command, option: Option) -> Callback:
        async def optional(used: discord.Interaction[Any], text: app_commands.Range[str, 1, 1000] = "") -> None:
            await self._run(used, command.words, text)

        async def needed(used: discord.Interaction[Any], text: app_commands.Range[str, 1, 1000]) -> None:
            await self._run(used, command.words, text)

        callback = self._with_choice(optional if option.is_optional else needed, command, option)
        return app_commands.rename(text=option.name)(app_commands.describe(text=say(option.hint))(callback))

    def _with_choice(self, callback: Callback, command: Command, option: Option) -> Callback:
        async def offer(used: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
            found = await self._suggestions(used, command, typed)
            return [app_commands.Choice(name=one.label, value=one.text) for one in found]

        if option.choices:
            words = [app_commands.Choice(name=word, value=word) for word in option.choices]
            return app_commands.choices(text=words)(callback)
        return callback if option.suggest is None else app_commands.autocomplete(text=offer)(callback)

    def _taking_file(self, command: Command) -> Callback:
        @app_commands.describe(file=say("the book's text"), title=say("its title, if the file doesn't say"))
        async def callback(
            used: discord.Interaction[Any], file: discord.Attachment, title: app_commands.Range[str, 1, 200] = ""
        ) -> None:
            async def offered() -> OfferedFile:
                return OfferedFile(name=file.filename, size=file.size, url=file.url)

            host, uploads = file_host(self._bot.options.api_base), self._platform_app.uploads
            await undertake(
                used,
                self._bot,
                self._platform_app.running_tasks,
                lambda at: uploads.add(at, offered, host, title),
                command=(command.words, title),
            )

        return callback

    async def _run(self, used: Interaction, words: str, text: str) -> None:
        run = self._platform_app.commands.run
        await undertake(
            used,
            self._bot,
            self._platform_app.running_tasks,
            lambda at: run(at, words, text),
            command=(words, text),
        )

    async def _suggestions(self, used: Interaction, command: Command, typed: str) -> list[Suggestion]:
        """Return suggestions, cut to Discord's limits."""
        try:
            surface = await surface_of(used, self._bot)
        except NotPermittedError:
            return []
        found = await self._platform_app.commands.suggestions(surface, command.words, typed)
        fitting = [Suggestion(label=_cut(one.label), text=one.text) for one in found if len(one.text) <= _LONGEST]
        return fitting[:_MOST_OFFERED]


def _cut(label: str) -> str:
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"


async def open_form(interaction: Interaction, command: Command, form_id: str) -> None:
    """Open a command's form, which comes back under this id. Never raises: on failure the member presses again."""
    title = say(command.help)
    form = discord.ui.Modal(title=f"{title[:1].upper()}{title[1:]}"[:_LONGEST_TITLE], custom_id=form_id)
    form.add_item(
        discord.ui.TextInput(
            label=say("Say"), custom_id="text", placeholder=command.usage[:_LONGEST], max_length=_LONGEST_TEXT
        )
    )
    form.stop()  # the client handles the submitted form; discord.py need not keep it
    try:
        await interaction.response.send_modal(form)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        _log.warning("A form could not be opened: %s", error)


def typed_in(form: object) -> str:
    """Return the text that was typed in a submitted form."""
    return next(_values(form), "").strip()


def _values(part: object) -> Iterator[str]:
    if isinstance(part, list):
        for one in part:
            yield from _values(one)
    elif isinstance(part, dict):
        if isinstance(part.get("value"), str):
            yield part["value"]
        yield from _values([part.get("component"), part.get("components")])
