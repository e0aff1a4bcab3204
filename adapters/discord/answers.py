"""One member's message from the inbox to the posted answer: where to, what core says to it, how it is shown."""

import logging
from typing import Final

import discord

from adapters.discord.buttons import answer_view
from adapters.discord.listening import MemberMessage, said_by
from adapters.discord.options import DiscordOptions
from adapters.discord.posting import OUT_OF_REACH, TokenRefusedError, in_short, retried, send_parts
from adapters.discord.reactions import DiscordMarkedMessage
from adapters.discord.threads_of import ThreadOpener
from adapters.discord.translate import Talk, scope_of
from adapters.discord.typing import typing
from adapters.platform.intake.arrivals import Arrival, PendingAnswer
from adapters.platform.organiser_notices import OrganiserNotices
from adapters.platform.reactions import Reactions
from adapters.platform.replies import reply_to
from adapters.platform.retry import RetryPolicy
from adapters.platform.services import PlatformServices
from core.app.listening import opens_thread
from core.domain.errors import ThusfarError
from core.domain.question import IncomingMessage
from core.domain.thread import Thread

_log = logging.getLogger(__name__)

_LOOKED_BACK: Final = 50


class Answering:
    """Decides about messages and answers them."""

    not_reached: Final = OUT_OF_REACH

    def __init__(
        self,
        client: discord.Client,
        services: PlatformServices,
        options: DiscordOptions,
        *,
        reactions: Reactions,
        retry: RetryPolicy,
        notices: OrganiserNotices,
    ) -> None:
        self._client = client
        self._services = services
        self._options = options
        self._reactions = reactions
        self._notices = notices
        self._retry = retry
        self._threads = ThreadOpener(client, retry=retry, notices=notices)
        self._silent: set[int] = set()
        self._mute: set[int] = set()
        self.token_was_refused = False
        self.gone: set[int] = set()
        """The servers, channels and threads that are no more, for as long as this process lives."""

    def key_of(self, said: MemberMessage) -> int:
        """Return the thread that a message belongs to: its channel, or the one that a mention is about to open."""
        opens = said.mentions_bot and isinstance(self._client.get_channel(said.channel_id), discord.TextChannel)
        return said.message_id if opens else said.channel_id

    async def turn_for(self, arrival: Arrival[MemberMessage]) -> PendingAnswer[MemberMessage, Talk] | None:
        """Return the turn that a message asks for; None where it is not for the bot, or cannot be answered any more.

        Raises:
            aiohttp.ClientError, OSError, discord.DiscordServerError: Discord is out of reach; it stays to be done.
        """
        try:
            channel = await self._threads.channel(arrival.said.channel_id)
            if channel is None:
                return None
            if arrival.again:
                await self._look_again(arrival, channel)
        except (discord.NotFound, discord.Forbidden):
            return None
        said = arrival.said
        heard = said.heard_in(channel, self._own_id)
        thread = self._thread(said, channel)
        if not await self._services.hear_message.wants_answer(thread, heard, member_id=said.author.member_id):
            return None
        if isinstance(channel, discord.Thread) and channel.locked:
            self._say_locked(channel.id)
            return None
        if not said.text and not heard.mentions_bot:
            return None
        message = DiscordMarkedMessage(_partial(channel, said.message_id), own_id=self._own_id, notices=self._notices)
        reactions = self._reactions.on(message)
        return PendingAnswer(arrival=arrival, channel=channel, heard=heard, reactions=reactions)

    async def execute(self, turn: PendingAnswer[MemberMessage, Talk]) -> bool:
        """Answer; False where Discord is out of reach, so that it must be taken up again later."""
        channel = turn.channel
        if not self.gone.isdisjoint({turn.arrival.said.guild_id, channel.id, getattr(channel, "parent_id", None)}):
            return True
        turn.reactions.begins()
        try:
            await self._answer(turn)
        except self.not_reached as error:
            _log.warning("The answer to %s could not be posted: %s", turn.arrival.said.ref, in_short(error))
            self.token_was_refused |= isinstance(error, TokenRefusedError)
            return False
        except discord.HTTPException as error:
            _log.warning("The answer to %s was not taken: %s", turn.arrival.said.ref, in_short(error))
            turn.reactions.failed()
            if isinstance(error, discord.Forbidden):
                self._say_mute(turn.arrival.said)
        return True

    async def _answer(self, turn: PendingAnswer[MemberMessage, Talk]) -> None:
        said, target = turn.arrival.said, turn.channel
        message = _partial(turn.channel, said.message_id)
        if said.text and opens_thread(turn.heard) and isinstance(target, discord.TextChannel):
            asked_in = self._thread(said, target)
            if not turn.arrival.again:
                try:
                    self._services.allowance.open_thread(asked_in, said.author.member_id)
                except ThusfarError as error:
                    turn.reactions.failed()
                    await send_parts(target, str(error), ref=said.ref, reply_to=message, retry=self._retry)
                    return
            title = await self._services.hear_message.thread_title(asked_in, said.text)
            target = await self._threads.open(message, title) or target
        async with typing(target):
            incoming = IncomingMessage(
                thread=self._thread(said, target), author=said.author, text=said.text, ref=said.ref
            )
            reply = await reply_to(incoming, services=self._services, reactions=turn.reactions)
        await send_parts(
            target,
            reply.text,
            ref=said.ref,
            footer=reply.footer,
            reply_to=message if target.id == said.channel_id else None,
            view=answer_view(reply.turn_id) if reply.turn_id is not None else None,
            already=await self._posted_before(said, target) if turn.arrival.again else (),
            retry=self._retry,
        )
        turn.reactions.posted()

    async def _look_again(self, arrival: Arrival[MemberMessage], channel: Talk) -> None:
        """See what became of a message meanwhile: one that was deleted is raised as discord.NotFound.

        Without the right to look it is answered as it was stored.
        """
        try:
            message = await retried(_partial(channel, arrival.said.message_id).fetch, self._retry)
        except discord.Forbidden:
            return
        now = said_by(message, bot_id=self._own_id, options=self._options)
        if now is not None and now.text:
            arrival.said = arrival.said.with_text(now.text)

    async def _posted_before(self, said: MemberMessage, target: Talk) -> set[str]:
        """Return what the bot has said since the question: a nonce is forgotten after a few minutes, this is not."""

        async def look() -> set[str]:
            after = discord.Object(said.message_id)
            history = target.history(limit=_LOOKED_BACK, after=after, oldest_first=True)
            own = [message async for message in history if message.author.id == self._own_id]
            if target.id == said.channel_id and not any(_answers(message, said.message_id) for message in own):
                return set()
            return {message.content for message in own}

        try:
            return await retried(look, self._retry)
        except discord.Forbidden:
            return set()

    def _thread(self, said: MemberMessage, channel: Talk) -> Thread:
        scope = scope_of(said.guild_id, said.author_id)
        if said.guild_id is None:
            return Thread(scope=scope, place="dm", thread="dm")
        if isinstance(channel, discord.Thread):
            return Thread(scope=scope, place=str(channel.parent_id), thread=str(channel.id))
        return Thread(scope=scope, place=str(channel.id), thread="")

    def _say_locked(self, channel_id: int) -> None:
        if channel_id not in self._silent:
            self._silent.add(channel_id)
            _log.warning("Thread %s is locked: no answers there.", channel_id)

    def _say_mute(self, said: MemberMessage) -> None:
        if said.guild_id is not None and said.channel_id not in self._mute:
            self._mute.add(said.channel_id)
            sentence = f"I can't write in <#{said.channel_id}>; I need Send Messages and Send Messages in Threads."
            self._notices.add(sentence, of=said.guild_id)

    @property
    def _own_id(self) -> int:
        return self._client.user.id if self._client.user else 0


def _partial(channel: Talk, message_id: int) -> discord.PartialMessage:
    return channel.get_partial_message(message_id)


def _answers(message: discord.Message, asked_id: int) -> bool:
    return message.reference is not None and message.reference.message_id == asked_id
