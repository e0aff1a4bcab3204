"""`/chat`: opens a thread about the book where the command was used, and answers a question in it at once."""

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import discord

from adapters.discord.buttons import answer_view
from adapters.discord.posting import OUT_OF_REACH, retried, send_parts
from adapters.discord.private import NOT_REACHED, public_line, request_of
from adapters.discord.threads_of import ThreadOpener
from adapters.discord.translate import ref_of, thread_of
from adapters.discord.typing import typing
from adapters.platform.retry import RetryPolicy
from core.app.commands.values import CommandRequest, CommandResponse
from core.domain.errors import ThusfarError
from core.domain.question import IncomingMessage

if TYPE_CHECKING:
    from adapters.discord.private import Interaction

_log = logging.getLogger(__name__)

_MAY_NOT_OPEN: Final = "I may not open a thread here; mention me with your question instead."


async def open_thread(used: "Interaction", question: str) -> CommandResponse:
    """Open the thread that core names, say in it where everybody stands, and answer.

    Raises:
        ThusfarError: there is no book, or no thread can be opened here.
    """
    services = used.client.services
    response = await services.commands.run("chat", request_of(used, question))
    channel, rights = used.channel, used.app_permissions
    may_open = (
        rights.create_public_threads
        and rights.send_messages
        and rights.send_messages_in_threads
        and rights.read_message_history
    )
    if not isinstance(channel, discord.TextChannel) or not may_open:
        raise ThusfarError(_MAY_NOT_OPEN)
    ref = f"interaction:{used.id}"
    line = public_line(used, response.announcement)
    starter, *_ = await send_parts(channel, line, ref=ref, retry=used.client.retry)
    opener = ThreadOpener(used.client, retry=used.client.retry)
    try:
        thread = await opener.open(channel.get_partial_message(starter.id), response.opens)
    except OUT_OF_REACH:
        await _take_back(starter, used.client.retry)
        raise
    if thread is None:
        await _take_back(starter, used.client.retry)
        raise ThusfarError(_MAY_NOT_OPEN)
    request = replace(request_of(used), thread=thread_of(thread, used.user))
    if question.strip():
        await _answer(used, thread, replace(request, text=question))
    else:
        where = await services.commands.run("where", request)
        await send_parts(thread, where.announcement, ref=f"{ref}:where", retry=used.client.retry)
    return CommandResponse(text=f"Here it is: {thread.mention}")


async def _take_back(starter: discord.Message, retry: RetryPolicy) -> None:
    """Take the line away that a thread should have begun with."""
    try:
        await retried(starter.delete, retry)
    except NOT_REACHED as error:
        _log.info("The line %s stays without a thread: %s", starter.id, error)


async def _answer(used: "Interaction", thread: discord.Thread, request: CommandRequest) -> None:
    """Repeat the question for all to see, and answer it as if it had been asked in the thread."""
    asked = f"{request.member.display_name} asks: {request.text}"
    message, *_ = await send_parts(
        thread, public_line(used, asked), ref=f"interaction:{used.id}:asked", retry=used.client.retry
    )
    ref = ref_of(thread.id, message.id)
    async with typing(thread):
        reply = await used.client.services.answer_message.execute(
            IncomingMessage(thread=request.thread, author=request.member, text=request.text, ref=ref)
        )
    await send_parts(
        thread,
        reply.text,
        ref=ref,
        footer=reply.footer,
        view=answer_view(reply.turn_id) if reply.turn_id is not None else None,
        retry=used.client.retry,
    )
