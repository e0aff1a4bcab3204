"""What `thusfar doctor` finds out about Slack: tokens, scopes, and whether the connection can be opened."""

import aiohttp

from adapters.platform.retry import RetryPolicy
from adapters.platform.surface import OutOfReachError, RefusedError, TokenRefusedError
from adapters.slack.calls import APP_TOKEN_REFUSED, SlackCalls
from adapters.slack.connection import who_am_i
from adapters.slack.manifest import OPTIONAL, SCOPES
from adapters.slack.options import SlackOptions
from core.domain.errors import SettingsError

Check = tuple[str, bool, str]

_ONCE = RetryPolicy(first=0.2, longest=0.2, one_call=15.0, total=1.0)


async def examine(options: SlackOptions) -> list[Check]:
    """Ask Slack, over its Web API alone."""
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
        mend = "put the manifest in place of the app's own (App Manifest), then install the app to the workspace again"
        return "slack scopes", missing.keys() <= OPTIONAL, f"missing: {named}; {mend}"
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
