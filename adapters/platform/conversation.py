"""Takes a message from the inbox to its answer: is it for the bot, and is it a command, a book or a question?"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Final, Generic

from adapters.platform.commands import CommandFlow
from adapters.platform.intake.items import InboxItem, MessageT, PendingAnswer
from adapters.platform.reactions import Reactions
from adapters.platform.replies import Refusals, answer
from adapters.platform.services import PlatformServices
from adapters.platform.surface import (
    GoneError,
    MessageSurface,
    OutOfReachError,
    Post,
    RefusedError,
    Surface,
    TokenRefusedError,
)
from adapters.platform.uploads import BookUploads
from adapters.platform.watching import Watching
from core.answering.follow_ups import names_of
from core.catalogue.sentences import say
from core.domain.conversation import AskedAs
from core.domain.errors import AskedTooFastError, StorageError, ThusfarError
from core.domain.inbound import MOST_BLAME
from core.domain.messages import GIVEN_UP, HOW_TO_ASK, ONLY_WORDS
from core.domain.question import IncomingMessage, Reply
from core.domain.understanding import Intent, Understanding, needs_no_words
from core.language.words import content_stems
from core.understanding.listening import Addressing, opens_thread

_log = logging.getLogger(__name__)

_GIVEN_UP: Final = Reply(text=GIVEN_UP, failed=True)
_NAMES_NOTHING: Final = 2
"""Words: a shorter request for more does not say of what."""

Find = Callable[[MessageT], Awaitable[MessageSurface]]


class Conversations(Generic[MessageT]):
    """Decides about messages and answers them where they were written.

    Args:
        services: core's services.
        find: returns the surface of a message. Raises GoneError if the message is gone or can't be seen.
        reactions: shows progress as reactions.
        commands: runs messages that are commands.
        uploads: imports attached books.
        watching: checks members' posts for spoilers.
    """

    def __init__(
        self,
        services: PlatformServices,
        find: Find[MessageT],
        *,
        reactions: Reactions,
        commands: CommandFlow,
        uploads: BookUploads,
        watching: Watching,
    ) -> None:
        self._services = services
        self._find = find
        self._reactions = reactions
        self._commands = commands
        self._uploads = uploads
        self._watching = watching
        self._refusals = Refusals()
        self.token_was_refused = False

    async def decide(self, item: InboxItem[MessageT]) -> PendingAnswer[MessageT] | None:
        """Return the pending answer; None if the message is not for the bot, or can't be answered any more.

        Raises:
            OutOfReachError: the platform can't be reached; decide again later.
        """
        surface = await self._surface_of(item)
        if surface is None:
            return None
        said, heard = item.said, await surface.heard()
        message = await _message(surface, said.text)
        meaning = await self._services.addressing.hear(message, heard)
        asked = meaning.addressed
        self._watching.begin(surface)
        is_upload = bool(said.files) and heard.is_direct
        says_something = said.text or heard.mentions_bot or is_upload or surface.pastes or surface.only_shows
        if asked is AskedAs.NO or surface.is_closed() or not says_something:
            return None
        is_named = heard.mentions_bot or heard.is_direct
        is_talk = not said.files and said.text and self._services.commands.said(said.text) is None
        if is_talk and needs_no_words(meaning, said_to_bot=is_named):
            self._reactions.on(surface, again=item.again).thanked()
            return None
        return self._pending(item, surface, heard, meaning)

    async def decided(self, item: InboxItem[MessageT], asked: AskedAs) -> PendingAnswer[MessageT] | None:
        """Return the pending answer to a message that another process decided about. Returns and raises as `decide`."""
        surface = await self._surface_of(item)
        if surface is None or surface.is_closed():
            return None
        heard = await surface.heard()
        message = await _message(surface, item.said.text)
        meaning = replace(await self._services.addressing.understood(message, heard), addressed=asked)
        return self._pending(item, surface, heard, meaning)

    async def _surface_of(self, item: InboxItem[MessageT]) -> MessageSurface | None:
        """Return the surface of a message, and update the message's text; None if it is gone."""
        try:
            surface = await self._find(item.said)
            if item.again and not item.is_posted and (text := await surface.read_back()):
                item.said = item.said.with_text(text)
        except GoneError:
            return None
        return surface

    def _pending(
        self, item: InboxItem[MessageT], surface: MessageSurface, heard: Addressing, meaning: Understanding
    ) -> PendingAnswer[MessageT]:
        said, asked = item.said, meaning.addressed
        return PendingAnswer(
            item=item,
            surface=surface,
            heard=heard,
            meaning=meaning,
            reactions=self._reactions.on(surface, again=item.again, quiet=asked is AskedAs.PERHAPS),
            is_short=not said.files and self._services.commands.is_short(said.text, meaning),
        )

    async def execute(self, pending: PendingAnswer[MessageT]) -> bool:
        """Answer; return False if the platform can't be reached, so that the message must be tried again later."""
        ref = pending.item.said.ref
        if pending.surface.is_closed():
            return True
        pending.reactions.begins()
        if pending.item.is_posted:
            self._show_posted(pending)
            return True
        try:
            if await self._must_give_up(pending):
                await self._post_failure(pending)
            else:
                await self._answer(pending)
        except OutOfReachError as error:
            _log.warning("The answer to %s could not be posted: %s", ref, error)
            self.token_was_refused |= isinstance(error, TokenRefusedError)
            return False
        except RefusedError as error:
            _log.warning("The answer to %s was refused: %s", ref, error)
            pending.reactions.failed()
        return True

    async def _must_give_up(self, pending: PendingAnswer[MessageT]) -> bool:
        """Whether this message has probably ended processes, so that it is not tried again.

        If it may have ended one, it is tried without the vector index, whose native code can crash.
        """
        item = pending.item
        if not item.is_left or item.reply is not None:
            return item.reply == _GIVEN_UP
        if item.blame >= MOST_BLAME:
            return True
        if await self._services.inbox.begin(item.said.event) > 1:
            self._services.set_aside_index()
        return False

    async def _post_failure(self, pending: PendingAnswer[MessageT]) -> None:
        """Tell the member that the message is given up, with as little work as possible."""
        _log.error("%s has ended the process several times; giving it up.", pending.surface.ref)
        await self._freeze(pending.item, _GIVEN_UP)
        if pending.asked is AskedAs.PERHAPS or pending.item.is_dropped:
            return
        pending.reactions.failed()
        surface = pending.surface
        target: Surface = surface
        if opens_thread(pending.heard):
            title = await self._services.thread_titles.of(surface.thread, await surface.author())
            target = surface if title is None else await surface.open_thread(title)
        await self._posted(pending.item, await target.post(Post(text=say(GIVEN_UP), ref=surface.ref, again=True)))

    async def _about_to_post(self, item: InboxItem[MessageT], message: IncomingMessage, reply: Reply) -> None:
        """Freeze a reply, and note it for the addressing rules before it is posted: readers may follow up at once."""
        await self._freeze(item, reply)
        if reply.text and not reply.failed:
            self._services.addressing.answered(message, reply.text)

    async def _freeze(self, item: InboxItem[MessageT], reply: Reply) -> None:
        """Store a reply, so that every later attempt posts the same one."""
        if not reply.is_kept:
            await self._services.inbox.settle(item.said.event, reply)
        item.reply = reply
        if item.check is not None:
            await item.check()

    async def _posted(self, item: InboxItem[MessageT], message_id: str) -> None:
        """Note that a reply is posted; if that can't be stored, the next attempt looks for the post."""
        item.is_posted = True
        try:
            await self._services.inbox.posted(item.said.event, [message_id])
        except StorageError as error:
            _log.warning("Could not store that %s is answered: %s", item.said.ref, error)

    def _show_posted(self, pending: PendingAnswer[MessageT]) -> None:
        """Show the outcome of a message that was answered before; post nothing."""
        reply = pending.item.reply
        if reply is not None and reply.failed:
            pending.reactions.failed()
        else:
            pending.reactions.done()

    async def _answer(self, pending: PendingAnswer[MessageT]) -> None:
        said, surface = pending.item.said, pending.surface
        text = await surface.readable(said.text)
        meaning = await self._meaning(pending)
        command = self._services.commands.said(text, None if said.files else meaning)
        is_upload = bool(said.files) and (command is None or self._services.commands.takes_file(command[0]))
        if is_upload and (command is not None or pending.heard.is_direct):
            if not pending.item.is_left:
                await self._services.inbox.begin(said.event)
            failed: object = await self._uploads.add_said(surface, said.files, command[1] if command else "")
        elif command is not None and not await self._greets_without_book(surface, meaning):
            failed = await self._commands.run(surface, *command, again=pending.item.again)
        else:
            await self._talk(pending, text, meaning)
            return
        if failed:
            pending.reactions.failed()
        else:
            pending.reactions.done()
            self._services.addressing.answered(await _message(surface, said.text), "")

    async def _greets_without_book(self, surface: MessageSurface, meaning: Understanding) -> bool:
        """Whether somebody makes small talk where nothing is read: they are told how to begin, as for a question."""
        if meaning.intent is not Intent.SMALL_TALK:
            return False
        return await self._services.thread_titles.of(surface.thread, await surface.author()) is None

    async def _meaning(self, pending: PendingAnswer[MessageT]) -> Understanding:
        """Return what a message means now: it may have been edited since it was heard."""
        if not pending.item.is_changed:
            return pending.meaning
        message = await _message(pending.surface, pending.item.said.text)
        found = await self._services.addressing.understood(message, pending.heard)
        return replace(found, addressed=pending.asked)

    async def _talk(self, pending: PendingAnswer[MessageT], text: str, meaning: Understanding) -> None:
        """Answer a question; outside a thread, open one for it, within the member's quota.

        If no book is read, that is said in place.
        """
        surface, reactions, again = pending.surface, pending.reactions, pending.item.again
        before = pending.item.reply
        try:
            words = await surface.asked(text, by_mention=pending.heard.mentions_bot)
        except ThusfarError as error:
            reactions.failed()
            await surface.refuse(error, str(error))
            return
        hint = say(ONLY_WORDS) if surface.only_shows else self._hint(pending.heard, words.text, meaning)
        if hint is not None:
            await surface.aside(hint)
            return
        author = await surface.author()
        target: Surface = surface
        if opens_thread(pending.heard):
            title = await self._services.thread_titles.of(surface.thread, author, text)
            if title is not None and not again:
                try:
                    self._services.quota.open_thread(surface.thread, author.member_id)
                except AskedTooFastError as error:
                    reactions.failed()
                    if self._refusals.is_new(surface.thread, author.member_id):
                        await surface.refuse(error, str(error))
                    return
            target = surface if title is None else await surface.open_thread(title)
        message = IncomingMessage(
            thread=target.thread,
            author=author,
            text=words.text,
            words_of="" if words.author.member_id == author.member_id else words.author.display_name,
            ref=surface.ref,
            asked=pending.asked,
            understood=meaning if words.text == text else None,
            heard_by=self._services.bot(),
        )
        reply = await answer(
            target,
            message,
            services=self._services,
            refusals=self._refusals,
            is_wanted=lambda: not pending.item.is_dropped,
            on_event=reactions.take,
            again=again,
            before=before,
            freeze=partial(self._about_to_post, pending.item, message),
            posted=partial(self._posted, pending.item),
        )
        _show(pending, reply)

    def _hint(self, heard: Addressing, text: str, meaning: Understanding) -> str | None:
        """Return a hint for a mention that asks nothing, or for a mistyped command; None for others."""
        if not text or (opens_thread(heard) and _only_asks_for_more(text, meaning)):
            return say(HOW_TO_ASK)
        return self._services.commands.meant(text) if heard.mentions_bot or heard.is_direct else None


def _show(pending: PendingAnswer[MessageT], reply: Reply) -> None:
    """Show the outcome of a question; if another worker has taken it over, that worker shows it."""
    if pending.item.is_lost:
        pending.reactions.done()
    elif reply.failed:
        pending.reactions.failed()
    elif reply.text:
        pending.reactions.done()
    else:
        pending.reactions.nothing()


def _only_asks_for_more(text: str, meaning: Understanding) -> bool:
    """Whether a message asks for more and does not say of what: "another one"."""
    is_short = len(text.split()) <= _NAMES_NOTHING or not content_stems(text)
    return meaning.intent is Intent.MORE and is_short and not names_of(text)


async def _message(surface: MessageSurface, text: str) -> IncomingMessage:
    return IncomingMessage(
        thread=surface.thread, author=await surface.author(), text=await surface.readable(text), ref=surface.ref
    )
