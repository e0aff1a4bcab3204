"""A member's message from the inbox to its answer: is it for us, and is it a command, a book or a question?"""

import logging
from collections.abc import Awaitable, Callable
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
from core.catalogue.sentences import say
from core.domain.conversation import AskedAs
from core.domain.errors import AskedTooFastError, StorageError, ThusfarError
from core.domain.inbound import MOST_BLAME
from core.domain.messages import GIVEN_UP, HOW_TO_ASK, ONLY_WORDS
from core.domain.question import IncomingMessage, Reply
from core.understanding.listening import Addressing, opens_thread

_log = logging.getLogger(__name__)

_GIVEN_UP: Final = Reply(text=GIVEN_UP, failed=True)

Find = Callable[[MessageT], Awaitable[MessageSurface]]


class Conversations(Generic[MessageT]):
    """Decides about messages and answers them, each where it stands.

    Args:
        services: core's services.
        find: returns where a message stands. Raises GoneError where that is no more, or may not be seen.
        reactions: shows what goes on.
        commands: runs what is said as a command.
        uploads: takes in what is given as a book.
        watching: looks at what is said to others.
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
        """Return the answer that a message asks for; None where it is not for the bot, or cannot be answered any more.

        Raises:
            OutOfReachError: the platform is out of reach; it stays to be done.
        """
        surface = await self._found(item)
        if surface is None:
            return None
        said, heard = item.said, await surface.heard()
        message = await _message(surface, said.text)
        asked = await self._services.addressing.hear(message, heard)
        self._watching.begin(surface)
        is_upload = bool(said.files) and heard.is_direct
        says_something = said.text or heard.mentions_bot or is_upload or surface.pastes or surface.only_shows
        if asked is AskedAs.NO or surface.is_closed() or not says_something:
            return None
        if asked is AskedAs.THANKS and not said.files:
            self._reactions.on(surface, again=item.again).thanked()
            return None
        return self._pending(item, surface, heard, asked)

    async def decided(self, item: InboxItem[MessageT], asked: AskedAs) -> PendingAnswer[MessageT] | None:
        """Return the answer to a message that another process has decided about. Returns and raises as `decide`."""
        surface = await self._found(item)
        if surface is None or surface.is_closed():
            return None
        return self._pending(item, surface, await surface.heard(), asked)

    async def _found(self, item: InboxItem[MessageT]) -> MessageSurface | None:
        """Return where a message stands, and note what it says by now; None where it is gone."""
        try:
            surface = await self._find(item.said)
            if item.again and not item.is_posted and (text := await surface.read_back()):
                item.said = item.said.with_text(text)
        except GoneError:
            return None
        return surface

    def _pending(
        self, item: InboxItem[MessageT], surface: MessageSurface, heard: Addressing, asked: AskedAs
    ) -> PendingAnswer[MessageT]:
        said = item.said
        return PendingAnswer(
            item=item,
            surface=surface,
            heard=heard,
            asked=asked,
            reactions=self._reactions.on(surface, again=item.again, quiet=asked is AskedAs.PERHAPS),
            is_short=not said.files and self._services.commands.is_short(said.text, plainly=asked is AskedAs.YES),
        )

    async def execute(self, pending: PendingAnswer[MessageT]) -> bool:
        """Answer; False where the platform is out of reach, so that it must be taken up again later."""
        ref = pending.item.said.ref
        if pending.surface.is_closed():
            return True
        pending.reactions.begins()
        if pending.item.is_posted:
            self._show_posted(pending)
            return True
        try:
            if await self._gives_up(pending):
                await self._post_failure(pending)
            else:
                await self._answer(pending)
        except OutOfReachError as error:
            _log.warning("The answer to %s could not be posted: %s", ref, error)
            self.token_was_refused |= isinstance(error, TokenRefusedError)
            return False
        except RefusedError as error:
            _log.warning("The answer to %s was not taken: %s", ref, error)
            pending.reactions.failed()
        return True

    async def _gives_up(self, pending: PendingAnswer[MessageT]) -> bool:
        """Whether processes ended by a message, as far as anybody can know: then it is not tried again.

        Where one may have, it is tried without the index of vectors, which lies in files of its own.
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
        """Tell that a message is given up, with as little work as that takes."""
        _log.error("%s has ended the process again and again: it is given up.", pending.surface.ref)
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
        """Freeze a reply, and hear it before it stands there: who reads it may go on about it at once."""
        await self._freeze(item, reply)
        if reply.text and not reply.failed:
            self._services.addressing.answered(message, reply.text)

    async def _freeze(self, item: InboxItem[MessageT], reply: Reply) -> None:
        """Have a reply posted as it is, whatever becomes of this attempt to."""
        if not reply.is_kept:
            await self._services.inbox.settle(item.said.event, reply)
        item.reply = reply
        if item.check is not None:
            await item.check()

    async def _posted(self, item: InboxItem[MessageT], message_id: str) -> None:
        """Note that a reply is posted; where that cannot be stored, it is looked for by the next attempt, if any."""
        item.is_posted = True
        try:
            await self._services.inbox.posted(item.said.event, [message_id])
        except StorageError as error:
            _log.warning("That %s is answered could not be stored: %s", item.said.ref, error)

    def _show_posted(self, pending: PendingAnswer[MessageT]) -> None:
        """Show what became of a message whose reply stands there: nothing is posted, or looked for, any more."""
        reply = pending.item.reply
        if reply is not None and reply.failed:
            pending.reactions.failed()
        else:
            pending.reactions.done()

    async def _answer(self, pending: PendingAnswer[MessageT]) -> None:
        said, surface = pending.item.said, pending.surface
        text = await surface.readable(said.text)
        command = self._services.commands.said(text, plainly=pending.asked is AskedAs.YES)
        is_upload = bool(said.files) and (command is None or self._services.commands.takes_file(command[0]))
        if is_upload and (command is not None or pending.heard.is_direct):
            if not pending.item.is_left:
                await self._services.inbox.begin(said.event)
            failed: object = await self._uploads.add_said(surface, said.files, command[1] if command else "")
        elif command is not None:
            failed = await self._commands.run(surface, *command, again=pending.item.again)
        else:
            await self._talk(pending, text)
            return
        if failed:
            pending.reactions.failed()
        else:
            pending.reactions.done()
            self._services.addressing.answered(await _message(surface, said.text), "")

    async def _talk(self, pending: PendingAnswer[MessageT], text: str) -> None:
        """Answer a question; outside any thread, in one that is opened for it, as far as the member's bounds allow.

        Where nothing is read there is nothing to talk about either: that is said in place.
        """
        surface, reactions, again = pending.surface, pending.reactions, pending.item.again
        before = pending.item.reply
        try:
            words = await surface.asked(text, by_mention=pending.heard.mentions_bot)
        except ThusfarError as error:
            reactions.failed()
            await surface.refuse(error, str(error))
            return
        hint = say(ONLY_WORDS) if surface.only_shows else self._hint(pending.heard, words.text)
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

    def _hint(self, heard: Addressing, text: str) -> str | None:
        """Return what is said to a mention without words, or with a command's but for a slip; None for others."""
        if not text:
            return say(HOW_TO_ASK)
        return self._services.commands.meant(text) if heard.mentions_bot or heard.is_direct else None


def _show(pending: PendingAnswer[MessageT], reply: Reply) -> None:
    """Show what a question came to; what is another worker's by now is shown by that one."""
    if pending.item.is_lost:
        pending.reactions.done()
    elif reply.failed:
        pending.reactions.failed()
    elif reply.text:
        pending.reactions.done()
    else:
        pending.reactions.nothing()


async def _message(surface: MessageSurface, text: str) -> IncomingMessage:
    return IncomingMessage(
        thread=surface.thread, author=await surface.author(), text=await surface.readable(text), ref=surface.ref
    )
