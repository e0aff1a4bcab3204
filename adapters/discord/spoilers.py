"""Posts a member's private answer at their wish: behind a spoiler container where it goes beyond the thread's page."""

import re
from functools import partial
from typing import TYPE_CHECKING, Final

import discord

from adapters.discord.posting import nonce, retried, send_parts
from adapters.discord.private import request_of
from adapters.platform.retry import RetryPolicy
from core.app.answers import PostableAnswer
from core.app.commands.values import CommandResponse
from core.domain.errors import ThusfarError
from core.text.split import split_message

if TYPE_CHECKING:
    from adapters.discord.private import Interaction

_MAY_NOT_WRITE: Final = "I may not write here, so the answer stays with you."
_HIDDEN: Final = re.compile(r"\\\|\\\|(.+?)\\\|\\\|", re.DOTALL)
_CONTAINED: Final = 3_500
"""Discord takes 4,000 characters in a layout; the line above the container needs some of them."""


async def show_to_all(used: "Interaction", turn_id: int) -> CommandResponse:
    """Post the answer; pressed twice, it stands there once.

    Raises:
        ThusfarError: it is not theirs, it is gone, or the bot may not write there.
    """
    request = request_of(used)
    answer = await used.client.services.answers.postable(
        turn_id, thread=request.thread, member_id=request.member.member_id
    )
    channel = used.channel
    if not isinstance(channel, discord.abc.Messageable):
        raise ThusfarError(_MAY_NOT_WRITE)
    asker = discord.utils.escape_markdown(request.member.display_name)
    text = f"**{asker} asked:** {_as_hidden(answer.question)}\n\n{answer.text}"
    ref = f"shown:{turn_id}"
    try:
        if answer.goes_beyond:
            await _post_contained(channel, answer, text, ref=ref, retry=used.client.retry)
        else:
            await send_parts(channel, text, ref=ref, footer=answer.footer, retry=used.client.retry)
    except discord.Forbidden:
        raise ThusfarError(_MAY_NOT_WRITE) from None
    return CommandResponse(text="It stands here for everybody now.")


def _as_hidden(question: str) -> str:
    """Return a question as plain text; what its asker put between spoiler marks stays there, half a pair is none."""
    return _HIDDEN.sub(r"||\1||", discord.utils.escape_markdown(question))


async def _post_contained(
    channel: discord.abc.Messageable, answer: PostableAnswer, text: str, *, ref: str, retry: RetryPolicy
) -> None:
    """Post each part in a container of its own, under a line that names its page."""
    for number, part in enumerate(split_message(discord.utils.escape_mentions(text), limit=_CONTAINED)):
        layout = discord.ui.LayoutView(timeout=None)
        layout.add_item(discord.ui.TextDisplay(f"**{answer.warning}**"))
        layout.add_item(discord.ui.Container(discord.ui.TextDisplay(part), spoiler=True))
        send = partial(
            channel.send,
            view=layout,
            nonce=nonce(ref, number),
            allowed_mentions=discord.AllowedMentions.none(),
        )
        await retried(send, retry)
