"""Builds the configured platforms: their options and the connection that serves each."""

from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from adapters.persistence.left_servers import SqlLeftServerRepository
from adapters.persistence.secrets import secret_of
from adapters.platform.sealing import ButtonSeal
from adapters.platform.services import Emoji, PlatformServices
from bot.logs import say_to_operator
from bot.settings import Settings
from bot.system_clock import SystemClock
from bot.wiring import Application
from core.club.settings.left_servers import LeftServers
from core.domain.errors import SettingsError

if TYPE_CHECKING:
    from adapters.discord.connection import DiscordConnection
    from adapters.discord.options import DiscordOptions
    from adapters.platform.worker import Shift, Worker
    from adapters.slack.connection import SlackConnection
    from adapters.slack.options import SlackOptions

DISCORD: Final = "discord"
SLACK: Final = "slack"

NO_DISCORD: Final = "DISCORD_TOKEN is not set. `thusfar setup discord` asks for it and says where to get one."
NO_SLACK: Final = "SLACK_BOT_TOKEN is not set. `thusfar setup slack` asks for it and says where to get one."
NO_WAY_IN: Final = (
    "Neither SLACK_APP_TOKEN (xapp-, for Socket Mode) nor SLACK_SIGNING_SECRET (for HTTP) is set. "
    "`thusfar setup slack` asks for the first."
)
NOTHING: Final = "Neither DISCORD_TOKEN nor SLACK_BOT_TOKEN is set. `thusfar setup` asks for them, one step at a time."


def configured(settings: Settings) -> list[str]:
    """Return the platforms whose token is set.

    Raises:
        SettingsError: there is none.
    """
    tokens = {DISCORD: settings.discord_token, SLACK: settings.slack_bot_token}
    found = [name for name, token in tokens.items() if token is not None]
    if not found:
        raise SettingsError(NOTHING)
    return found


def connection_to(platform: str, thusfar: Application) -> "DiscordConnection | SlackConnection":
    """Return the connection that serves a platform.

    Raises:
        SettingsError: a required setting is missing.
    """
    return _discord(thusfar) if platform == DISCORD else _slack(thusfar)


def worker_on(platform: str, thusfar: Application, shift: "Shift") -> "Worker[Any]":
    """Return the worker that answers on a platform without listening.

    Raises:
        SettingsError: a required setting is missing.
    """
    services, work = platform_services(thusfar), thusfar.clubs().work
    if platform == DISCORD:
        from adapters.discord.worker import worker_on_discord

        return worker_on_discord(services, discord_options(thusfar.settings), work, shift=shift)
    from adapters.slack.worker import worker_in_slack

    return worker_in_slack(services, slack_options(thusfar.settings), work, shift=shift)


def platform_services(thusfar: Application) -> PlatformServices:
    """Return core's services for the platform adapters."""
    clubs = thusfar.clubs()
    return PlatformServices(
        answer_message=thusfar.answer_message,
        addressing=clubs.addressing,
        commands=clubs.registry(),
        book_commands=clubs.book_commands,
        answers=clubs.answers,
        member_clubs=clubs.member_clubs,
        thread_titles=clubs.thread_titles,
        inbox=clubs.inbox,
        quota=thusfar.quota,
        due=clubs.times.due,
        watch=clubs.watch,
        left_servers=left_servers(thusfar),
        set_aside_index=thusfar.set_aside_index,
        work=clubs.work if thusfar.hands_on else None,
        turns_at_once=thusfar.settings.turns_at_once,
        exclusive=clubs.exclusive,
        seal=ButtonSeal(partial(secret_of, thusfar.database, "buttons")),
        crashed=thusfar.crashed,
    )


def discord_options(settings: Settings) -> "DiscordOptions":
    """Return the options of the Discord adapter.

    Raises:
        SettingsError: there is no token.
    """
    from adapters.discord.options import DiscordOptions

    if settings.discord_token is None:
        raise SettingsError(NO_DISCORD)
    return DiscordOptions(
        token=settings.discord_token.get_secret_value().strip(),
        api_base=settings.discord_api_base,
        gateway_url=settings.discord_gateway_url,
        allowed_guilds=settings.discord_guilds,
        allowed_channels=settings.discord_channels,
        organiser_roles=settings.discord_organiser_roles,
        emoji=_emoji(settings, DISCORD),
        max_book_bytes=settings.max_book_megabytes * 1_000_000,
        missed_hours=settings.discord_missed_hours,
    )


def slack_options(settings: Settings, *, is_complete: bool = True) -> "SlackOptions":
    """Return the options of the Slack adapter; if not `is_complete`, for checking the bot token alone.

    Raises:
        SettingsError: a token is missing.
    """
    from adapters.slack.options import SlackOptions

    if settings.slack_bot_token is None:
        raise SettingsError(NO_SLACK)
    if is_complete and settings.slack_app_token is None and settings.slack_signing_secret is None:
        raise SettingsError(NO_WAY_IN)
    secrets = (settings.slack_app_token, settings.slack_signing_secret)
    app_token, signing_secret = (one.get_secret_value().strip() if one is not None else None for one in secrets)
    return SlackOptions(
        bot_token=settings.slack_bot_token.get_secret_value().strip(),
        app_token=app_token,
        signing_secret=signing_secret,
        api_base=settings.slack_api_base,
        host=settings.slack_host,
        port=settings.slack_port,
        allowed_channels=settings.slack_channels,
        organisers=settings.slack_organisers,
        emoji=_emoji(settings, SLACK),
        max_book_bytes=settings.max_book_megabytes * 1_000_000,
        missed_hours=settings.slack_missed_hours,
    )


def left_servers(thusfar: Application) -> LeftServers:
    """Return it, over the database of an application."""
    return LeftServers(
        servers=SqlLeftServerRepository(thusfar.database),
        library=thusfar.library,
        clock=SystemClock(),
        kept_days=thusfar.settings.left_server_days,
    )


def _emoji(settings: Settings, platform: str) -> Emoji:
    """Return a platform's emoji: the setting `discord_emoji_found` is `found` on Discord."""
    return Emoji(**{one.name: getattr(settings, f"{platform}_emoji_{one.name}") for one in fields(Emoji)})


def _discord(thusfar: Application) -> "DiscordConnection":
    from adapters.discord.client import ThusfarClient
    from adapters.discord.connection import DiscordConnection

    services, options = platform_services(thusfar), discord_options(thusfar.settings)
    return DiscordConnection(
        lambda message_content: ThusfarClient(services, options, message_content=message_content, say=say_to_operator),
        token=options.token,
    )


def _slack(thusfar: Application) -> "SlackConnection":
    from adapters.slack.connection import SlackConnection

    return SlackConnection(platform_services(thusfar), slack_options(thusfar.settings), say=say_to_operator)
