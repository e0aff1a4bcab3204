"""A command as a person can use it: only what the application registered, with values of the right kind."""

from collections.abc import Mapping

from tests.platform_servers.discord import message_payloads, payloads
from tests.platform_servers.discord.platform import Platform
from tests.platform_servers.discord.rights import Right
from tests.platform_servers.discord.world import Attachment, Channel, Json, Message, Person

_SLASH, _ON_MESSAGE = 1, 3
_SUBCOMMAND, _GROUP, _STRING, _INTEGER, _BOOLEAN, _USER, _NUMBER, _ATTACHMENT = 1, 2, 3, 4, 5, 6, 10, 11
_PYTHON: dict[int, type | tuple[type, ...]] = {
    _STRING: str,
    _INTEGER: int,
    _BOOLEAN: bool,
    _USER: Person,
    7: Channel,
    _NUMBER: (int, float),
    _ATTACHMENT: Attachment,
}

Value = str | int | float | bool | Person | Channel | Attachment


def typed(
    platform: Platform,
    words: str,
    options: Mapping[str, Value],
    *,
    channel: Channel,
    rights: Right,
    focused: str | None = None,
) -> Json:
    """The `data` of the interaction for "book use" with its options.

    Raises:
        AssertionError: Discord would not let anybody send this.
    """
    command, path, known = _find(platform, words, channel)
    _check_allowed(command, words, channel, rights)
    resolved: Json = {}
    filled = [_fill(known, name, value, resolved, focused) for name, value in options.items()]
    missing = [name for name, one in known.items() if one.get("required") and name not in options]
    assert focused or not missing, f"/{words} needs {missing}"
    assert focused is None or known[focused].get("autocomplete"), f"/{words} offers nothing for {focused}"
    for name, kind in reversed(path):
        filled = [{"name": name, "type": kind, "options": filled}]
    data: Json = {"id": command["id"], "name": command["name"], "type": 1, "options": filled}
    # Autocomplete comes without what ids stand for.
    return data | ({"resolved": resolved} if resolved and focused is None else {})


def first_option(platform: Platform, words: str, channel: Channel) -> str:
    """The name of the first option that the bot registered for a command."""
    return next(iter(_find(platform, words, channel)[2]))


def chosen_on(platform: Platform, name: str, message: Message, *, channel: Channel, rights: Right) -> Json:
    """The `data` of the interaction for a command of a message's menu, which always shows what the message says.

    Raises:
        AssertionError: Discord would not let anybody send this.
    """
    command = next((one for one in platform.commands[None] if (one["name"], one["type"]) == (name, _ON_MESSAGE)), None)
    assert command is not None, f"no {name} in the menu"
    _check_allowed(command, name, channel, rights)
    shown = message_payloads.message(message, bot=platform.bot)
    return {
        "id": command["id"],
        "name": name,
        "type": _ON_MESSAGE,
        "target_id": str(message.id),
        "resolved": {"messages": {str(message.id): shown}},
    }


def _find(platform: Platform, words: str, channel: Channel) -> tuple[Json, list[tuple[str, int]], dict[str, Json]]:
    first, *rest = words.split()
    offered = [*platform.commands.get(channel.guild.id if channel.guild else None, []), *platform.commands[None]]
    command = next((one for one in offered if one["name"] == first and one["type"] == _SLASH), None)
    assert command is not None, f"no command /{first}; there are {sorted(one['name'] for one in offered)}"
    entry, path = command, []
    for word in rest:
        found = next((one for one in entry.get("options", []) if one["name"] == word and one["type"] in (1, 2)), None)
        assert found is not None, f"/{words}: no {word}; there are {[one['name'] for one in entry.get('options', [])]}"
        entry = found
        path.append((word, int(found["type"])))
    known = {one["name"]: one for one in entry.get("options", [])}
    assert all(one["type"] not in (_SUBCOMMAND, _GROUP) for one in known.values()), f"/{words} is a group"
    return command, path, known


def _check_allowed(command: Json, words: str, channel: Channel, rights: Right) -> None:
    assert not channel.archived, "an archived thread takes no commands"
    needed = command.get("default_member_permissions")
    if channel.guild is not None:
        assert Right.USE_APPLICATION_COMMANDS in rights, "no right to use commands here"
        missing = Right(int(needed or 0)) & ~rights
        assert not missing, f"Discord does not show /{words} to somebody without {missing!r}"
        return
    contexts = command.get("contexts")
    in_dms = command.get("dm_permission") is not False and (contexts is None or 1 in contexts)
    assert in_dms, f"/{words} is not for DMs"


def _fill(known: Mapping[str, Json], name: str, value: Value, resolved: Json, focused: str | None) -> Json:
    assert name in known, f"no option {name}; there are {sorted(known)}"
    option = known[name]
    kind = option["type"]
    if name == focused:
        return {"name": name, "type": kind, "value": value, "focused": True}
    is_kind = isinstance(value, _PYTHON[kind]) and (kind == _BOOLEAN or not isinstance(value, bool))
    assert is_kind, f"{name} is of kind {kind}, and {value!r} is not"
    if isinstance(value, (Person, Attachment, Channel)):
        _resolve(value, resolved)
        return {"name": name, "type": kind, "value": str(value.id)}
    choices = [one["value"] for one in option.get("choices") or []]
    assert not choices or value in choices, f"{name} is one of {choices}"
    size = len(value) if isinstance(value, str) else value
    bounds = ("min_length", "max_length") if isinstance(value, str) else ("min_value", "max_value")
    low, high = (option.get(bound) for bound in bounds)
    assert low is None or size >= low, f"{name} is at least {low}"
    assert high is None or size <= high, f"{name} is at most {high}"
    return {"name": name, "type": kind, "value": value}


def _resolve(value: Person | Attachment | Channel, resolved: Json) -> None:
    if isinstance(value, Person):
        resolved.setdefault("users", {})[str(value.id)] = payloads.user(value)
    elif isinstance(value, Attachment):
        resolved.setdefault("attachments", {})[str(value.id)] = payloads.attachment(value)
    else:
        resolved.setdefault("channels", {})[str(value.id)] = payloads.channel(value) | {"permissions": "0"}
