"""The Discord client: passes gateway messages to the intake, and buttons and forms to the commands."""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, Final

import discord
import yarl

from adapters.discord.announcing import DueOnDiscord, welcome, welcome_late
from adapters.discord.bot import Bot
from adapters.discord.bounded_client import BoundedClient
from adapters.discord.calls import ask, set_gateway, set_up
from adapters.discord.commands import install, open_form, typed_in
from adapters.discord.interactions import acknowledge, surface_of, take_up_used, tell, undertake
from adapters.discord.listening import PLATFORM, DiscordMessage, own_ids, plain_text, ref_of, said_by, scope_of
from adapters.discord.missed import DiscordHistory
from adapters.discord.options import DiscordOptions
from adapters.discord.said import DiscordMessageContext
from adapters.platform.buttons import NOT_VALID, pressed_in
from adapters.platform.intake.items import HandOver, MessageCodec, NotAllReadError
from adapters.platform.platform_app import ListeningApp
from adapters.platform.retry import RetryPolicy, stored
from adapters.platform.services import PlatformServices
from adapters.platform.surface import GoneError, OutOfReachError, RefusedError, TokenRefusedError
from adapters.platform.used import UsedCommands
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice
from core.domain.errors import ThusfarError
from core.domain.messages import counted

_log = logging.getLogger(__name__)

_CATCHING_UP_S: Final = 180.0
_LAST_WORDS_S: Final = 2.0
_CLOCKS_DIFFER: Final = timedelta(seconds=10)
_NO_CONTENT: Final = sentence(
    "I only hear messages that name me: the Message Content intent is off. The person who runs this bot "
    "can switch it on."
)


class ThusfarClient(BoundedClient):
    """Thusfar's Discord client.

    Args:
        services: core's services.
        options: the adapter's options.
        message_content: whether to request the Message Content intent, for messages that don't mention the bot.
        say: gets one line when the bot is ready.
        retry: how long calls are retried.
        more: discord.py's own options.
    """

    def __init__(
        self,
        services: PlatformServices,
        options: DiscordOptions,
        *,
        message_content: bool = True,
        say: Callable[[str], None] = _log.info,
        retry: RetryPolicy = RetryPolicy(),  # noqa: B008 (frozen)
        **more: Any,  # noqa: ANN401 (discord.py's own options)
    ) -> None:
        set_up(api_base=options.api_base)
        services = services.heard_by(lambda: str(self.bot.own_id))
        super().__init__(
            intents=discord.Intents(
                guilds=True, guild_messages=True, dm_messages=True, message_content=message_content
            ),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            **more,
        )
        self.services = services
        self.options = options
        self.retry = retry
        self.hears_everything = message_content
        self._say = say
        self.bot = Bot(
            client=self,
            options=options,
            retry=retry,
            used=UsedCommands(services.inbox, PLATFORM, services.commands),
            seal=services.seal,
            ornament_rate=services.ornament_rate,
        )
        self.due = DueOnDiscord(self.bot, lambda: self.is_ready() and not self._is_stopping)
        if not message_content:
            self.bot.notices.add(_NO_CONTENT)
        codec = MessageCodec(
            platform=PLATFORM,
            read=DiscordMessage.from_payload,
            order_of=int,
            now=lambda: discord.utils.time_snowflake(discord.utils.utcnow() - _CLOCKS_DIFFER),
            key_of=self.bot.key_of,
            lane_of=self.bot.lane_of,
        )
        self._platform_app = ListeningApp(
            services,
            codec,
            self._find,
            emoji=options.emoji,
            most_bytes=options.max_book_bytes,
            notices=self.bot.notices,
            retry=retry,
        )
        self.intake = self._platform_app.intake
        self.running_tasks = self._platform_app.running_tasks
        self._missed = DiscordHistory(self, hours=options.missed_hours, retry=retry)
        self._is_caught_up = asyncio.Event()
        self._catching_up: asyncio.Task[Any] | None = None
        self._late: set[int] = set()
        self._is_resumed = False
        self._taking_up_used: asyncio.Task[None] | None = None
        self._is_stopping = False

    async def setup_hook(self) -> None:
        """Set everything up before the first event."""
        await super().setup_hook()
        url = self.options.gateway_url
        if url is None:
            _, url, _ = await self.http.get_bot_gateway()
        set_gateway(url)
        await self.intake.start()
        await install(self.bot, self._platform_app)

    async def caught_up(self) -> None:
        """Wait until missed messages have been fetched."""
        await self._is_caught_up.wait()

    async def finish(self, *, within: float) -> None:
        """Accept nothing new, and let running work end for `within` seconds."""
        if self._is_stopping:
            return
        self._is_stopping = True
        if self._catching_up is not None:
            self._catching_up.cancel()
        await self._platform_app.finish(within=within)

    async def close(self) -> None:
        """Close the connection. discord.py calls this too if Discord refuses; unfinished work stays in the inbox."""
        await self.finish(within=_LAST_WORDS_S)
        await super().close()

    async def on_connect(self) -> None:
        """Begin a new session: messages since the previous one must be fetched."""
        await super().on_connect()
        self.intake.gap()
        if self.options.gateway_url is not None and self.ws is not None:
            # Without this, a lost connection would resume at READY's address instead of the operator's.
            self.ws.gateway = yarl.URL(self.options.gateway_url)

    async def on_ready(self) -> None:
        """Fetch missed messages, now that every guild is known; repeat while some are out of reach."""
        if self._taking_up_used is None:
            self._taking_up_used = asyncio.create_task(take_up_used(self.bot, self._platform_app))
        self._late = {guild.id for guild in self.guilds if guild.unavailable}
        self._is_resumed = False
        here = [_scope(guild) for guild in self.guilds]
        await stored(partial(self.services.left_servers.only, PLATFORM, here), later=self.retry.later)
        await welcome_late(self.bot)
        await self._catch_up()

    async def on_resumed(self) -> None:
        """Continue the session; messages are fetched too, since Discord may not send all of them."""
        await super().on_resumed()
        if self._is_caught_up.is_set() and not self._is_stopping:
            self.intake.gap()
            self._is_resumed = True
            await self._catch_up()

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Fetch missed messages again when a server appears later than discord.py waits for it."""
        if guild.id in self._late:
            await self.on_ready()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Register a new or returning server, and post the welcome."""
        self.bot.gone.discard(guild.id)
        await stored(partial(self.services.left_servers.there, [_scope(guild)]), later=self.retry.later)
        await welcome(self.bot, guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Drop what waits in a server that the bot left; its data is erased after a while."""
        self.bot.gone.add(guild.id)
        await stored(partial(self.services.left_servers.left, [_scope(guild)]), later=self.retry.later)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Drop what waits in a deleted channel."""
        self.bot.gone.add(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Drop what waits in a deleted thread."""
        self.bot.gone.add(payload.thread_id)

    async def on_message(self, message: discord.Message) -> None:
        """Take a message; messages during a shutdown must count as missed."""
        if self._is_stopping:
            return
        self.intake.watermark_at(message.id)
        said = said_by(message, bot_id=self.bot.own_id, options=self.options)
        if said is not None:
            await stored(partial(self.intake.keep, said), later=self.retry.later)

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Take an edit; link previews that Discord adds also arrive as edits and are ignored."""
        message = payload.message
        author = getattr(message, "author", None)
        if author is None or author.bot or author.id == self.bot.own_id or message.edited_at is None:
            return
        text = plain_text(message, without=own_ids(message, self.bot.own_id))
        if text or self.hears_everything:
            ref = ref_of(payload.channel_id, payload.message_id)
            await stored(partial(self.intake.edited, ref, text), later=self.retry.later)
        said = said_by(message, bot_id=self.bot.own_id, options=self.options)
        if said is not None and said.mentions_bot and not self._is_stopping:
            await stored(partial(self.intake.asked_by_edit, said), later=self.retry.later)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Remove the text of a deleted message."""
        ref = ref_of(payload.channel_id, payload.message_id)
        await stored(partial(self.intake.deleted, ref), later=self.retry.later)

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Remove the texts of bulk-deleted messages."""
        for message_id in payload.message_ids:
            ref = ref_of(payload.channel_id, message_id)
            await stored(partial(self.intake.deleted, ref), later=self.retry.later)

    async def on_interaction(self, used: discord.Interaction[Any]) -> None:
        """Run a button or a form, or open the form of a button that needs one."""
        is_form = used.type is discord.InteractionType.modal_submit
        is_pressed = is_form or used.type is discord.InteractionType.component
        if not is_pressed or used.user is discord.utils.MISSING:
            return
        data: dict[str, Any] = {**(used.data or {})}
        pressed = pressed_in(data.get("custom_id"))
        if pressed is None:
            if await acknowledge(used):
                await tell(used, self.bot, say(NOT_VALID))
            return
        choice, about = pressed
        form = None if choice.text or is_form else self.services.commands.form(choice.command)
        if form is not None and await self._proves(used, choice, about):
            await open_form(used, form, str(data["custom_id"]))
            return
        text = typed_in(data) if is_form else choice.text
        press = partial(self._platform_app.buttons.press, choice=choice, typed=text if is_form else None)
        await undertake(
            used,
            self.bot,
            self.running_tasks,
            press,
            beside=not is_form and not self.services.commands.stays(choice.command),
            about=about,
            command=(choice.command, text, choice.seal),
        )

    async def _proves(self, used: discord.Interaction[Any], choice: Choice, about: int | None) -> bool:
        try:
            return await (await surface_of(used, self.bot, about)).proves(choice)
        except (ThusfarError, GoneError, OutOfReachError):  # the member is told when it runs
            return False

    async def on_error(self, event_method: str, /, *_: object, **__: object) -> None:
        """Log an unexpected error in an event handler; the client goes on."""
        _log.exception("Unexpected error in %s.", event_method)

    async def check_token(self) -> None:
        """Check, after a call failed because of the token, whether the token was revoked.

        Raises:
            TokenRefusedError: it was.
        """
        if self._platform_app.conversations.token_was_refused:
            try:
                await ask(self.application_info, self.retry)
            except TokenRefusedError:
                raise
            except (OutOfReachError, RefusedError):
                return
            self._platform_app.conversations.token_was_refused = False

    def _is_ready(self) -> None:
        """Say once that the bot is ready: everything reachable has been fetched."""
        if not self._is_caught_up.is_set():
            self._say(f"Discord: {self.user} listens in {counted(len(self.guilds), 'server')}. Ctrl-C ends it.")
            self._is_caught_up.set()

    async def _catch_up(self) -> None:
        if self._is_stopping:  # a shutdown could not cancel a fetch that had not begun
            return
        if self._catching_up is not None:
            self._catching_up.cancel()
        self._catching_up = asyncio.current_task()
        ready = asyncio.get_running_loop().call_later(_CATCHING_UP_S, self._is_ready)
        try:
            await self._platform_app.keep_catching_up(self._fetch_missed, looked=self._is_ready)
        finally:
            ready.cancel()

    async def _find(self, said: DiscordMessage) -> DiscordMessageContext:
        return DiscordMessageContext(self.bot, await self.bot.channel(said.channel_id), said)

    async def _fetch_missed(self, latest: dict[str, int], after: int, take: HandOver[DiscordMessage]) -> None:
        async def hear(message: discord.Message) -> None:
            said = said_by(message, bot_id=self.bot.own_id, options=self.options)
            if said is not None:
                await take(said)

        await self._missed.fetch(latest, after, hear, is_resumed=self._is_resumed)
        if any(guild.unavailable for guild in self.guilds):
            raise NotAllReadError("some servers are not available yet")


def _scope(guild: discord.Guild) -> str:
    return scope_of(guild.id, user_id=0)
