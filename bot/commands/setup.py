"""`thusfar setup`: from nothing to a bot in the club, step by step.

Each accepted answer is in .env before the next question, so it can be stopped at any point and run again.
"""

import json
import sys
from io import StringIO
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import quote

import typer

from bot.commands.serve import Platform, serve
from core.domain.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.commands.setup_guide import Check, Guide, Secret
    from bot.settings import Settings

_DISCORD_PORTAL: Final = "https://discord.com/developers/applications?new_application=true"
_ON_DISCORD: Final = """\
In Discord's developer portal, make a New Application (its name is the bot's).
Under Bot, switch Message Content Intent on, save, press Reset Token and copy it."""
_SLACK_NEW: Final = "https://api.slack.com/apps?new_app=1&manifest_json="
_SLACK_APPS: Final = "https://api.slack.com/apps"
_IN_SLACK: Final = """\
This link makes the Slack app: choose your workspace, Next, Create.
Under Install App, install it and copy the Bot User OAuth Token (xoxb-)."""
_FOR_SOCKETS: Final = """\
On the app's page, under Basic Information, App-Level Tokens: generate one with the
scope connections:write and copy it (xapp-)."""
_NEXT: Final = {
    Platform.DISCORD: "In a channel: /book use sample, /setpage 18, then mention the bot: Who is Hallam?",
    Platform.SLACK: """\
In a channel: /invite and the bot's name, /thusfar book use sample, /setpage 18,
then mention the bot: Who is Hallam?""",
}


def setup(
    platform: Annotated[Platform | None, typer.Argument(help="The platform; without it, you are asked.")] = None,
    no_input: Annotated[bool, typer.Option("--no-input", help="Ask nothing; the same without a terminal.")] = False,
    stdin: Annotated[bool, typer.Option("--stdin", help="Ask nothing; read NAME=value lines from stdin.")] = False,
    service: Annotated[bool, typer.Option("--service", help="Run it as a systemd service of this user.")] = False,
) -> None:
    """Set up the bot: tokens, invite link, model, service. Run it again to change something or to go on.

    Without a terminal, tokens come from the environment or from stdin (others can see arguments): DISCORD_TOKEN, or
    SLACK_BOT_TOKEN and SLACK_APP_TOKEN. Each is tested and written to .env.

    Example: thusfar setup discord
    """
    from dotenv import dotenv_values

    from bot.commands.running import prepared_settings
    from bot.commands.setup_guide import Guide
    from bot.commands.setup_model import choose_model
    from bot.commands.setup_service import keep_running
    from bot.env_file import EnvFile

    prepared_settings()
    given = dotenv_values(stream=StringIO(sys.stdin.read() if stdin else ""))
    asks = sys.stdin.isatty() and not no_input and not stdin
    guide = Guide(file=EnvFile(), asks=asks, given={name.upper(): value or "" for name, value in given.items()})
    try:
        chosen = platform or _platform(guide)
        (_discord if chosen is Platform.DISCORD else _slack)(guide)
        choose_model(guide)
        guide.keep(guide.given)
        runs = keep_running(guide, wanted=service)
        if not runs:
            guide.say("`thusfar serve` runs the bot in this window, until Ctrl-C.")
        guide.say(_NEXT[chosen])
        starts = not runs and guide.yes("Start it now?")
    except (typer.Abort, KeyboardInterrupt):
        guide.say(f"\nStopped. What was accepted is in {guide.file.path}; `thusfar setup` goes on from there.")
        raise
    if starts:
        serve()


def _platform(guide: "Guide") -> Platform:
    """Return the platform that is asked for; where nobody can be asked, the first that has a token."""
    from bot.platforms import configured

    try:
        default = Platform(configured(guide.settings())[0])
    except SettingsError:
        if not guide.asks:
            raise
        default = Platform.DISCORD
    return guide.choose("Where does your club talk?", default)


def _discord(guide: "Guide") -> None:
    from adapters.discord.doctor import INVITE, NO_SERVER
    from bot.commands.setup_guide import Secret

    _take(guide, Secret(name="DISCORD_TOKEN", where=_ON_DISCORD, page=_DISCORD_PORTAL, check=_on_discord))
    _settle(guide, _on_discord, waits_for=NO_SERVER, invite=INVITE)


def _slack(guide: "Guide") -> None:
    from adapters.slack.manifest import manifest
    from bot.commands.setup_guide import Secret

    page = _SLACK_NEW + quote(json.dumps(manifest(), separators=(",", ":")), safe="")
    _take(guide, Secret(name="SLACK_BOT_TOKEN", where=_IN_SLACK, page=page, check=_in_slack))
    app = Secret(
        name="SLACK_APP_TOKEN", where=_FOR_SOCKETS, page=_SLACK_APPS, check=_in_slack, decides="slack connection"
    )
    if guide.settings().slack_signing_secret is None:  # it listens over HTTP
        _take(guide, app)
    _settle(guide, _in_slack)


def _take(guide: "Guide", token: "Secret") -> None:
    """Have a token. Raises Abort: nothing is typed."""
    if not guide.take(token):
        raise typer.Abort


def _on_discord(settings: "Settings") -> "list[Check]":
    import asyncio

    from adapters.discord.doctor import examine
    from bot.platforms import discord_options

    return asyncio.run(examine(discord_options(settings)))


def _in_slack(settings: "Settings") -> "list[Check]":
    """Check the bot token, and the app-level token as soon as there is one."""
    import asyncio

    from adapters.slack.doctor import examine
    from bot.platforms import slack_options

    return asyncio.run(examine(slack_options(settings, is_complete=False)))


def _settle(
    guide: "Guide", check: "Callable[[Settings], list[Check]]", *, waits_for: str = "", invite: str = ""
) -> None:
    """Show what is left to do on the platform, until all is done or the person goes on.

    While a check ends with `waits_for`, the bot has to be invited, by the link of the check named `invite`.

    Raises:
        SettingsError: something has to be fixed, and nobody can be asked.
    """
    is_open = False
    while True:
        checks = check(guide.settings())
        guide.report([one for one in checks if one[0] != invite])
        problem = next((detail for _, ok, detail in checks if not ok), "")
        if problem and not guide.asks:
            raise SettingsError(problem)
        waits = bool(waits_for) and any(detail.endswith(waits_for) for _, _, detail in checks)
        if waits and not is_open:
            is_open = True
            guide.open(next(detail for name, _, detail in checks if name == invite))
        if not (problem or waits) or not guide.yes("Done? Then I check again."):
            return
