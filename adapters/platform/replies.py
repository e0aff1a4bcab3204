"""Posts core's reply to a message, and turns errors into one sentence for the member."""

import logging
import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import replace
from typing import Final

from adapters.platform.services import PlatformServices
from adapters.platform.surface import OutOfReachError, Post, RefusedError, Surface
from adapters.platform.typing_indicator import nothing_shown
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice, CommandRequest, where_to_answer
from core.domain.chat_event import ChatEvent, EventSink
from core.domain.conversation import AskedAs
from core.domain.errors import LLMError, StorageError, ThusfarError
from core.domain.messages import (
    OF_YOUR_CLUBS,
    STORE_AWAY,
    WENT_WRONG,
    answers_nothing,
    asks_position,
    describe,
    for_reader,
    plain_name,
)
from core.domain.position import AnswerIn
from core.domain.question import IncomingMessage, Reply

_log = logging.getLogger(__name__)

_NOT_REACHED: Final = sentence("I couldn't post here just now. Please try again.")

_REMEMBERED_S: Final = 60.0
_MOST_REMEMBERED: Final = 1_000
_PAGE_REQUESTS_A_MINUTE: Final = 2
"""How often a minute a member is asked for their page; twice, in case the first time was missed."""


async def _ignore(_: str) -> None:
    """Ignore the id of the posted message."""


async def answer(  # noqa: PLR0913 (keyword-only but for two)
    surface: Surface,
    message: IncomingMessage,
    *,
    services: PlatformServices,
    refusals: "Refusals | None" = None,
    is_wanted: Callable[[], bool] = lambda: True,
    on_event: EventSink | None = None,
    again: bool = False,
    before: Reply | None = None,
    freeze: Callable[[Reply], Awaitable[None]] | None = None,
    posted: Callable[[str], Awaitable[None]] = _ignore,
    raises: bool = False,
) -> Reply:
    """Post core's reply to a message in its thread, and return it.

    A refusal is not repeated within a minute, and a reply that is no longer wanted is not posted.

    `before` is the reply of an earlier attempt, which is used as it is. `freeze` gets the reply before it is posted,
    `posted` gets the id of the posted message. An error in core becomes a sentence to the asker, or is raised if
    `raises` is set.

    Raises:
        StorageError: the store can't be used now; the message stays unanswered.
        OutOfReachError: the platform can't be reached; the reply stays to be posted.
        RefusedError: the reply may not be posted.
    """
    # Someone who may not have asked sees no typing indicator, since there may be no answer.
    is_seen = message.asked is not AskedAs.PERHAPS

    def followed(event: ChatEvent) -> None:
        if is_seen:
            surface.follow(event)
        if on_event is not None:
            on_event(event)

    async with surface.writing() if is_seen else nothing_shown() as stop:
        reply = await _reply_to(message, before, services, followed, raises=raises)
        if freeze is not None and reply.asked_back is None:
            await freeze(reply)
        await stop()
        is_told = refusals is not None and _was_told(reply, message, refusals)
        if not is_wanted():
            return replace(reply, text="")
        if reply.nothing_read or reply.asked_back is not None:
            await _tell_asker(surface, message, reply, services)
        elif reply.text and not is_told:
            await posted(await surface.post(post_of(reply, ref=message.ref or "", again=again)))
    return reply


async def _tell_asker(surface: Surface, message: IncomingMessage, reply: Reply, services: PlatformServices) -> None:
    """Tell the asker alone that there is no book, or ask where they want an answer that the thread may not see.

    A member who chose private answers gets the answer privately.
    """
    if reply.nothing_read:
        await surface.aside(*await _no_book(surface, message, reply, services))
        return
    choices = where_to_answer(message.author.member_id, str(reply.asked_back))
    if reply.answered_in is AnswerIn.ALONE:
        request = CommandRequest(thread=message.thread, member=message.author, is_organiser=False, text=choices[0].text)
        alone = await services.commands.run(choices[0].command, request)
        if await surface.tell(alone.text, alone.choices):
            return
    await surface.aside(reply.text, choices)


def _was_told(reply: Reply, message: IncomingMessage, refusals: "Refusals") -> bool:
    """Whether the member was told this refusal within the last minute."""
    where, member_id = message.thread, message.author.member_id
    if reply.too_fast:
        return not refusals.is_new(where, member_id)
    return asks_position(reply.text) and not refusals.may_ask_page(where, member_id)


def post_of(reply: Reply, *, ref: str, again: bool = False) -> Post:
    """Return the post of core's reply; `ref` is its permanent id."""
    return Post(
        text=for_reader(reply.text),
        ref=ref,
        footer=reply.footer,
        turn_id=reply.turn_id,
        answers_nothing=answers_nothing(reply.text),
        rests_on_book=reply.rests_on_book,
        has_more=reply.has_more,
        by_model=reply.by_model,
        again=again,
    )


async def _reply_to(
    message: IncomingMessage, before: Reply | None, services: PlatformServices, on_event: EventSink, *, raises: bool
) -> Reply:
    """Return the reply of an earlier attempt as it may be shown now; without one, ask core.

    A question that needs a page is kept until one is set.
    """
    if before is not None:
        return await services.answer_message.again(message, before)
    try:
        reply = await services.answer_message.execute(message, on_event)
    except StorageError:
        raise
    except Exception:
        if raises:
            raise
        _log.exception("%s could not be answered.", message.ref)
        return Reply(text=say(WENT_WRONG), failed=True)
    if asks_position(reply.text):
        await services.addressing.waits(message)
    return reply


async def _no_book(
    surface: Surface, message: IncomingMessage, reply: Reply, services: PlatformServices
) -> tuple[str, tuple[Choice, ...]]:
    """Return what to say where no book is read; alone with the bot, offer the books of the member's clubs."""
    request = CommandRequest(thread=message.thread, member=message.author, is_organiser=False, scopes=surface.scopes)
    offered = await services.book_commands.offered_alone(request)
    return (f"{reply.text} {say(OF_YOUR_CLUBS)}" if offered else reply.text), offered


def sentence_for(what: str, error: Exception) -> str:
    """Return the one sentence that a member sees for an error; causes for the operator go to the log."""
    if isinstance(error, StorageError):
        _log.error("%s failed: %s", what, error)
        return say(STORE_AWAY)
    if isinstance(error, (RefusedError, OutOfReachError)):
        _log.warning("%s was refused: %s", what, error)
        return say(error.sentence if isinstance(error, RefusedError) else _NOT_REACHED)
    if isinstance(error, LLMError):
        _log.warning("%s could not be answered: %s", what, error)
    elif not isinstance(error, ThusfarError):
        _log.error("%s failed.", what, exc_info=error)
    return describe(error)


def public_line(line: str, name: str, escape: Callable[[str], str]) -> str:
    """Return a public line in which the member's name is escaped."""
    shown = plain_name(name)
    return line.replace(shown, escape(shown))


class Refusals:
    """Remembers which refusals a member was told within the last minute, so that a flood gets one or two answers."""

    def __init__(self) -> None:
        self._told: dict[Hashable, list[float]] = {}

    def is_new(self, where: Hashable, member_id: str) -> bool:
        """Whether to tell the member that they ask too fast; counts as told."""
        return self._may_tell((where, member_id, "too fast"), most=1)

    def may_ask_page(self, where: Hashable, member_id: str) -> bool:
        """Whether to ask the member for their page; counts as asked."""
        return self._may_tell((where, member_id, "page"), most=_PAGE_REQUESTS_A_MINUTE)

    def _may_tell(self, what: Hashable, *, most: int) -> bool:
        now = time.monotonic()
        if len(self._told) >= _MOST_REMEMBERED:
            self._told = {key: times for key, times in self._told.items() if now - times[-1] < _REMEMBERED_S}
        heard = [at for at in self._told.get(what, ()) if now - at < _REMEMBERED_S]
        if len(heard) >= most:
            return False
        self._told[what] = [*heard, now]
        return True
