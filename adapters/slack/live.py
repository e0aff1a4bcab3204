"""`thusfar doctor --live` in Slack: post, edit, react, answer in a thread, delete all of it, in a channel by its id."""

import aiohttp

from adapters.platform.live_steps import EDITED, TEXT, Check, LiveSteps
from adapters.platform.retry import RetryPolicy
from adapters.platform.surface import RefusedError
from adapters.slack.calls import SlackCalls
from adapters.slack.options import SlackOptions

_ONCE = RetryPolicy(first=0.2, longest=0.2, one_call=15.0, total=1.0)
_BY_CODE = {
    "not_in_channel": "the bot isn't in that channel: invite it there",
    "channel_not_found": "Slack knows no such channel, or the bot isn't in it: invite it there",
}


async def try_out(options: SlackOptions, channel: str) -> list[Check]:
    """Take the steps over the Web API, and delete what was posted, also where one fails."""
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
