"""What core says to a message, posted; and the sentence that a member hears where something went wrong."""

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

_TOLD_FOR_S: Final = 60.0
_MOST_TOLD: Final = 1_000
_ASKED_FOR_PAGE: Final = 2
"""How often a minute a member is asked how far they have read; the second time is for those who missed the first."""


async def _unnoted(_: str) -> None:
    """Nobody notes what a message was posted as."""


async def answer(  # noqa: PLR0913 (by name, all but two)
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
    posted: Callable[[str], Awaitable[None]] = _unnoted,
    raises: bool = False,
) -> Reply:
    """Post core's reply to a message where it belongs, and return it.

    A refusal that was told just now is not repeated, and nothing is posted that is not wanted any more.

    `before` is the reply that an earlier attempt came to: nothing is worked out once more. `freeze` is given what is
    about to be posted, `posted` the name of the message that it was posted as. What breaks in core is a sentence to
    the asker, or is raised where it `raises`.

    Raises:
        StorageError: the store is of no use now; the message stays to be answered.
        OutOfReachError: the platform cannot be reached; it stays to be posted.
        RefusedError: it may not be posted.
    """
    # Who may not have asked does not see that an answer is being written: there may be none.
    is_seen = message.asked is not AskedAs.PERHAPS

    def followed(event: ChatEvent) -> None:
        if is_seen:
            surface.follow(event)
        if on_event is not None:
            on_event(event)

    async with surface.writing() if is_seen else nothing_shown() as stop:
        reply = await _worked_out(message, before, services, followed, raises=raises)
        if freeze is not None and reply.asked_back is None:
            await freeze(reply)
        await stop()
        is_told = refusals is not None and _is_told(reply, message, refusals)
        if not is_wanted():
            return replace(reply, text="")
        if reply.nothing_read or reply.asked_back is not None:
            await _tell_asker(surface, message, reply, services)
        elif reply.text and not is_told:
            await posted(await surface.post(post_of(reply, ref=message.ref or "", again=again)))
    return reply


async def _tell_asker(surface: Surface, message: IncomingMessage, reply: Reply, services: PlatformServices) -> None:
    """Say what is for the asker: there is no book; or the thread is ahead of them, and where do they want the answer?

    Who has chosen to be answered alone is.
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


def _is_told(reply: Reply, message: IncomingMessage, refusals: "Refusals") -> bool:
    """Whether a reply says what its reader was told just now."""
    where, member_id = message.thread, message.author.member_id
    if reply.too_fast:
        return not refusals.is_new(where, member_id)
    return asks_position(reply.text) and not refusals.may_ask_page(where, member_id)


def post_of(reply: Reply, *, ref: str, again: bool = False) -> Post:
    """Return core's reply as it is posted; `ref` names it for good."""
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


async def _worked_out(
    message: IncomingMessage, before: Reply | None, services: PlatformServices, on_event: EventSink, *, raises: bool
) -> Reply:
    """Return what an earlier attempt came to, as it may be told by now; else what core says.

    What cannot be answered before a page is set waits for that.
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
        _log.exception("No answer to %s.", message.ref)
        return Reply(text=say(WENT_WRONG), failed=True)
    if asks_position(reply.text):
        await services.addressing.waits(message)
    return reply


async def _no_book(
    surface: Surface, message: IncomingMessage, reply: Reply, services: PlatformServices
) -> tuple[str, tuple[Choice, ...]]:
    """Return what is said where nothing is read; a member alone is offered the books of the clubs that they are in."""
    request = CommandRequest(thread=message.thread, member=message.author, is_organiser=False, scopes=surface.scopes)
    offered = await services.book_commands.offered_alone(request)
    return (f"{reply.text} {say(OF_YOUR_CLUBS)}" if offered else reply.text), offered


def sentence_for(what: str, error: Exception) -> str:
    """Return the one sentence that a member sees; the causes that are not theirs go to the log."""
    if isinstance(error, StorageError):
        _log.error("%s failed: %s", what, error)
        return say(STORE_AWAY)
    if isinstance(error, (RefusedError, OutOfReachError)):
        _log.warning("%s was not taken: %s", what, error)
        return say(error.sentence if isinstance(error, RefusedError) else _NOT_REACHED)
    if isinstance(error, LLMError):
        _log.warning("No answer to %s: %s", what, error)
    elif not isinstance(error, ThusfarError):
        _log.error("%s failed.", what, exc_info=error)
    return describe(error)


def public_line(line: str, name: str, escape: Callable[[str], str]) -> str:
    """Return a line that all can read, with the member's name in it as plain text."""
    shown = plain_name(name)
    return line.replace(shown, escape(shown))


class Refusals:
    """Knows who was told what where within the last minute: of a flood of messages one or two are answered."""

    def __init__(self) -> None:
        self._told: dict[Hashable, list[float]] = {}

    def is_new(self, where: Hashable, member_id: str) -> bool:
        """Whether the member has yet to hear there that they ask too fast; from now on they have."""
        return self._may_hear((where, member_id, "too fast"), most=1)

    def may_ask_page(self, where: Hashable, member_id: str) -> bool:
        """Whether the member may be asked there how far is read; from now on they have been, once more."""
        return self._may_hear((where, member_id, "page"), most=_ASKED_FOR_PAGE)

    def _may_hear(self, what: Hashable, *, most: int) -> bool:
        now = time.monotonic()
        if len(self._told) >= _MOST_TOLD:
            self._told = {key: times for key, times in self._told.items() if now - times[-1] < _TOLD_FOR_S}
        heard = [at for at in self._told.get(what, ()) if now - at < _TOLD_FOR_S]
        if len(heard) >= most:
            return False
        self._told[what] = [*heard, now]
        return True
