"""What `thusfar doctor` checks in Slack: tokens, scopes, and whether the connection can be opened.

With `--live` it also posts, edits, reacts, answers in a thread and deletes all of it, in a channel given by id.
"""

import aiohttp

from adapters.platform.live_steps import EDITED, TEXT, Check, LiveSteps
from adapters.platform.retry import RetryPolicy
from adapters.platform.surface import OutOfReachError, RefusedError, TokenRefusedError
from adapters.slack.calls import APP_TOKEN_REFUSED, SlackCalls
from adapters.slack.connection import who_am_i
from adapters.slack.manifest import OPTIONAL, SCOPES
from adapters.slack.options import SlackOptions
from core.domain.errors import SettingsError

_ONCE = RetryPolicy(first=0.2, longest=0.2, one_call=15.0, total=1.0)
_BY_CODE = {
    "not_in_channel": "the bot isn't in that channel: invite it there",
    "channel_not_found": "Slack knows no such channel, or the bot isn't in it: invite it there",
}


async def examine(options: SlackOptions) -> list[Check]:
    """Check the settings over the Web API only."""
    async with aiohttp.ClientSession() as session:
        calls = SlackCalls(options.bot_token, session=session, api_base=options.api_base, retry=_ONCE)
        try:
            me = await who_am_i(calls)
        except SettingsError as error:
            return [("slack", False, str(error))]
        except (OutOfReachError, RefusedError) as error:
            return [("slack", False, f"cannot be reached: {error}")]
        return [
            ("slack", True, f"{me.name} in {me.team}"),
            _scopes(me.scopes),
            await _connection(calls, options),
        ]


def _scopes(given: frozenset[str]) -> Check:
    if not given:
        return "slack scopes", True, "Slack does not tell which the token was given"
    missing = {scope: purpose for scope, purpose in SCOPES.items() if scope not in given}
    if missing:
        named = "; ".join(f"{scope} ({purpose})" for scope, purpose in missing.items())
        fix = "put the manifest in place of the app's own (App Manifest), then install the app to the workspace again"
        return "slack scopes", missing.keys() <= OPTIONAL, f"missing: {named}; {fix}"
    return "slack scopes", True, "all that are needed"


async def _connection(calls: SlackCalls, options: SlackOptions) -> Check:
    if options.app_token is None:
        where = f"HTTP at port {options.port}, path /slack/events"
        return "slack connection", True, f"{where}; requests are verified with SLACK_SIGNING_SECRET"
    try:
        await calls.once(calls.client.apps_connections_open, app_token=options.app_token)
    except (RefusedError, TokenRefusedError) as error:
        code = str(error.code) if isinstance(error, RefusedError) else str(error)
        return "slack connection", False, APP_TOKEN_REFUSED.get(code, f"Socket Mode was refused: {error}")
    except OutOfReachError as error:
        return "slack connection", False, f"cannot be reached: {error}"
    return "slack connection", True, "Socket Mode"


async def try_out(options: SlackOptions, channel: str) -> list[Check]:
    """Run the live steps over the Web API, and delete what was posted even if one fails."""
    steps = LiveSteps("slack", _why)
    async with aiohttp.ClientSession() as session:
        calls = SlackCalls(options.bot_token, session=session, api_base=options.api_base, retry=_ONCE)
        web = calls.client
        said = await steps.take(
            "post", calls.once(web.chat_postMessage, channel=channel, text=TEXT), needs="the scope chat:write"
        )
        if said is None:
            return steps.checks
        at = str(said["ts"])
        try:
            edit = calls.once(web.chat_update, channel=channel, ts=at, text=EDITED)
            await steps.take("edit", edit, needs="the scope chat:write")
            react = calls.once(web.reactions_add, channel=channel, timestamp=at, name="book")
            await steps.take("react", react, needs="the scope reactions:write")
            reply = calls.once(web.chat_postMessage, channel=channel, text=TEXT, thread_ts=at)
            answered = await steps.take("open a thread", reply, needs="the scope chat:write")
            if answered is not None:
                delete = calls.once(web.chat_delete, channel=channel, ts=str(answered["ts"]))
                await steps.take("delete the thread", delete, needs="the scope chat:write")
        finally:
            delete = calls.once(web.chat_delete, channel=channel, ts=at)
            await steps.take("delete the post", delete, needs="the scope chat:write")
    return steps.checks


def _why(error: Exception) -> str:
    if isinstance(error, RefusedError):
        return _BY_CODE.get(str(error.code), f"Slack refused it ({error.code or error})")
    return f"Slack can't be reached or refuses the token ({type(error).__name__})"
