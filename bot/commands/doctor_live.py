"""The live tests of `thusfar doctor --live`, with a report that can be pasted into a bug report."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pydantic import SecretStr

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.wiring import Application

Check = tuple[str, bool, str]

_QUESTIONS: Final = (("Who is telling the story?", 10), ("What has happened so far?", 20))


async def live_checks(thusfar: "Application", channels: Sequence[str]) -> list[Check]:
    """Post in the channels, and ask two questions about the sample."""
    checks = [check for channel in channels for check in await _in_channel(thusfar, channel.strip())]
    return [*checks, *await _asked(thusfar)]


async def _in_channel(thusfar: "Application", channel: str) -> list[Check]:
    from bot.platforms import discord_options, slack_options
    from core.domain.errors import SettingsError

    if channel.isascii() and channel.isdigit():
        from adapters.discord.doctor import try_out as on_discord

        if thusfar.settings.discord_token is None:
            return [("discord live", False, "DISCORD_TOKEN is not set")]
        return await on_discord(discord_options(thusfar.settings), int(channel))
    from adapters.slack.doctor import try_out as in_slack

    try:
        return await in_slack(slack_options(thusfar.settings), channel)
    except SettingsError as error:
        return [("slack live", False, str(error))]


async def _asked(thusfar: "Application") -> list[Check]:
    from bot.commands.importing import SAMPLE, find_or_import
    from core.answering.ask import AskRequest
    from core.domain.errors import LLMError, ThusfarError
    from core.domain.scopes import LOCAL_SCOPE

    checks: list[Check] = []
    try:
        book = await find_or_import(thusfar, SAMPLE, scope=LOCAL_SCOPE)
        for question, page in _QUESTIONS:
            began = time.monotonic()
            asked = await thusfar.ask.execute(AskRequest(question=question, book_id=book.book_id, page=page))
            outcome = asked.outcome
            how = "quoted the book" if outcome.quotes_only else f"{outcome.model} answered"
            took = f"{time.monotonic() - began:.1f} s, {len(outcome.text)} letters, {len(outcome.sources)} passages"
            checks.append(("model live", True, f"{question} At p. {page}: {how}; {took}"))
    except LLMError as error:
        checks.append(("model live", False, f"no answer: {error.cause[:200]}"))
    except ThusfarError as error:
        checks.append(("model live", False, str(error)))
    return checks


def without_secrets(text: str, settings: "Settings") -> str:
    """Return a text without the values of secret settings and the path of the home."""
    values = (getattr(settings, name) for name in type(settings).model_fields)
    secrets = [value.get_secret_value() for value in values if isinstance(value, SecretStr)]
    for secret in filter(None, [*secrets, str(settings.thusfar_home.resolve())]):
        text = text.replace(secret, "(left out)")
    return text
