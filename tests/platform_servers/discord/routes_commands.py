"""REST on slash commands: what the application registers, checked as Discord checks it."""

import re

from tests.platform_servers.discord.calls import MISSING_ACCESS, Call, RefusedError, RouteTable, invalid, snowflake
from tests.platform_servers.discord.platform import Platform
from tests.platform_servers.discord.world import Json

table = RouteTable()

_NAME = re.compile(r"[-_'\w]{1,32}")
_MOST_COMMANDS, _MOST_OPTIONS, _MOST_CHOICES, _MOST_CHARACTERS = 100, 25, 25, 8000
_SLASH, _MENUS, _MOST_IN_MENU = 1, (2, 3), 5
_SUBCOMMANDS = (1, 2)
_OPTION_KINDS = range(1, 12)
_WITH_CHOICES = (3, 4, 10)


@table.on("PUT", "/applications/{application}/commands")
def overwrite_global(platform: Platform, call: Call) -> list[Json]:
    return _overwrite(platform, call)


def _overwrite(platform: Platform, call: Call) -> list[Json]:
    scope = _scope(platform, call)
    if not isinstance(call.body, list):
        raise invalid("_", "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
    kinds = [command.get("type", _SLASH) for command in call.body]
    if kinds.count(_SLASH) > _MOST_COMMANDS:
        raise RefusedError(400, 30032, "Maximum number of application commands reached (100)")
    if max(kinds.count(kind) for kind in _MENUS) > _MOST_IN_MENU:
        raise RefusedError(400, 30032, f"Maximum number of application commands reached ({_MOST_IN_MENU})")
    for command in call.body:
        check_command(command)
    names = [(command.get("type", _SLASH), command["name"]) for command in call.body]
    if len(names) != len(set(names)):
        raise invalid("name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
    platform.commands[scope] = [_registered(platform, command) for command in call.body]
    return platform.commands[scope]


def _registered(platform: Platform, command: Json) -> Json:
    known = {"id": str(platform.snowflakes.now()), "application_id": str(platform.bot.id), "type": 1, "version": "1"}
    return {**known, "description": "", **command}


def _scope(platform: Platform, call: Call) -> int | None:
    if snowflake(call.params["application"], "application_id") != platform.bot.id:
        raise RefusedError(403, 20012, "You are not authorized to perform this action on this application")
    if "guild" not in call.params:
        return None
    guild = snowflake(call.params["guild"], "guild_id")
    if guild not in platform.guilds:
        raise MISSING_ACCESS
    return guild


def check_command(command: Json) -> None:
    """Names, descriptions, options in the right order, and not too much of it all."""
    if command.get("type", 1) != _SLASH:
        _check_of_menu(command)
        return
    _check_texts(command)
    _check_options(command.get("options", []))
    if _characters(command) > _MOST_CHARACTERS:
        raise invalid("_", "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({_MOST_CHARACTERS})")


def _check_of_menu(command: Json) -> None:
    """What stands in a menu has a name in any letters, and nothing else."""
    if not 1 <= len(command.get("name", "")) <= 32:
        raise invalid("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 32 in length.")
    if command.get("description") or command.get("options"):
        message = "Context menu commands cannot have description or options"
        raise invalid("description", "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", message)


def _check_texts(entry: Json) -> None:
    name, description = entry.get("name", ""), entry.get("description", "")
    if not _NAME.fullmatch(name) or name != name.lower():
        raise invalid("name", "APPLICATION_COMMAND_INVALID_NAME", f"Command name is invalid: {name!r}")
    if not 1 <= len(description) <= 100:
        raise invalid("description", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")


def _check_options(options: list[Json], depth: int = 0) -> None:
    if len(options) > _MOST_OPTIONS:
        raise invalid("options", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    names = [option.get("name") for option in options]
    if len(names) != len(set(names)):
        raise invalid("options", "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", "Option names must be unique")
    required = [option.get("required", False) for option in options]
    if required != sorted(required, reverse=True):
        message = "Required options must be placed before non-required options"
        raise invalid("options", "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
    kinds = {option.get("type") in _SUBCOMMANDS for option in options}
    if len(kinds) > 1:
        message = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        raise invalid("options", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
    for option in options:
        _check_option(option, depth)


def _check_option(option: Json, depth: int) -> None:
    _check_texts(option)
    kind = option.get("type")
    if kind not in _OPTION_KINDS or depth > 1:
        raise invalid("options.type", "BASE_TYPE_CHOICES", f"Value must be one of {list(_OPTION_KINDS)}.")
    choices = option.get("choices") or []
    if len(choices) > _MOST_CHOICES or any(not 1 <= len(one["name"]) <= 100 for one in choices):
        raise invalid("options.choices", "BASE_TYPE_MAX_LENGTH", "25 choices, with names of 1 to 100.")
    offers = bool(choices), bool(option.get("autocomplete"))
    if all(offers) or (any(offers) and kind not in _WITH_CHOICES):
        message = "Only strings and numbers, and only one of choices and autocomplete"
        raise invalid("options", "APPLICATION_COMMAND_AUTOCOMPLETE_INVALID", message)
    if kind in _SUBCOMMANDS:
        _check_options(option.get("options", []), depth + 1)


def _characters(entry: Json) -> int:
    choices = entry.get("choices") or []
    own = len(entry["name"]) + len(entry["description"])
    own += sum(len(one["name"]) + len(str(one["value"])) for one in choices)
    return own + sum(_characters(option) for option in entry.get("options", []))
