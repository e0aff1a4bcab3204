"""The Slack client: passes what Bolt receives to the intake or to the commands, and acknowledges it in time.

Bolt acknowledges an event before its listener runs, so messages are stored earlier, in a global middleware. Commands,
buttons and forms are stored and acknowledged first, then run in tasks that a shutdown waits for.
"""

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from slack_bolt import BoltResponse
from slack_bolt.async_app import AsyncAck

from adapters.platform.intake.items import HandOver, MessageCodec, NotKeptError
from adapters.platform.platform_app import ListeningApp
from adapters.platform.running_tasks import Refuse, TaskSet
from adapters.slack.announcing import DueInSlack, Welcome
from adapters.slack.bolt import bolt_app
from adapters.slack.commands import Commands
from adapters.slack.forms import FORM, LINE, OFFER, refused, settle
from adapters.slack.home import Home
from adapters.slack.listening import SlackMessage, order_of, ref_of, said_by, scope_of
from adapters.slack.manifest import COMMANDS, EVENTS, GONE, IN_MENU, SHORTCUT
from adapters.slack.missed import SlackHistory
from adapters.slack.people import PLATFORM
from adapters.slack.render import Spot, people_in, with_names, without_bot
from adapters.slack.said import SlackMessageContext
from adapters.slack.surface import SlackSurface, used_in
from adapters.slack.workspace import Workspace
from core.domain.clean_text import clean
from core.domain.errors import StorageError
from core.domain.inbound import InboundEvent

_log = logging.getLogger(__name__)

_TAKEN: Final = 200
_NOT_KEPT: Final = 503
_SAID: Final = frozenset({"message", "app_mention"})
_SECOND: Final = 1_000_000
_CLOCKS_DIFFER_S: Final = 10.0
_CATCHING_UP_S: Final = 60.0
_TO_REFUSE_S: Final = 2.0

Body = dict[str, Any]
Next = Callable[[], Awaitable[Any]]


class ThusfarSlack:
    """Thusfar in one workspace, over any connection.

    Args:
        workspace: the bot's identity and what the adapter's parts share.
        signing_secret: verifies HTTP requests; not needed with Socket Mode.
    """

    def __init__(self, workspace: Workspace, *, signing_secret: str | None) -> None:
        self._workspace = workspace
        options, retry = workspace.options, workspace.calls.retry
        codec = MessageCodec(
            platform=PLATFORM,
            read=SlackMessage.from_payload,
            order_of=order_of,
            now=lambda: int((time.time() - _CLOCKS_DIFFER_S) * _SECOND),
            key_of=lambda said: said.key,
            lane_of=lambda said: said.channel_id,
        )
        self._platform_app = platform_app = ListeningApp(
            workspace.services,
            codec,
            self._find,
            emoji=options.emoji,
            most_bytes=options.max_book_bytes,
            notices=workspace.notices,
            retry=retry,
        )
        self.intake = platform_app.intake
        self.due = DueInSlack(workspace)
        self._commands = Commands(workspace, platform_app)
        self._home = Home(workspace)
        platform_app.commands.changed = self._show_again
        self._welcome = Welcome(workspace, platform_app.commands)
        self._missed = SlackHistory(workspace, hours=options.missed_hours)
        self._has_taken_up_used = False
        self._work = TaskSet()
        self._catching_up: asyncio.Task[None] | None = None
        self.app = bolt_app(workspace, signing_secret=signing_secret)
        self._listen()

    async def start(self) -> None:
        """Set everything up before the first event; a workspace that had removed the bot is registered again."""
        await self._workspace.services.left_servers.there([scope_of(self._workspace.me.team_id)])
        await self.intake.start()

    async def catch_up(self) -> None:
        """Handle leftover and missed messages, retrying while some are out of reach.

        It returns after the first attempt, or after a minute, and continues in the background.
        """
        if not self._has_taken_up_used:
            self._has_taken_up_used = True
            self._begin(partial(self._commands.used.take_up, self._commands.take_up), refuse=_say_nothing)
        self.intake.gap()
        self._stop_catching_up()
        looked = asyncio.Event()
        self._catching_up = asyncio.create_task(self._keep_catching_up(looked))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(looked.wait(), _CATCHING_UP_S)

    async def settled(self) -> None:
        """Wait until nothing is left to do."""
        await self.intake.settled()
        await self._work.idle()

    async def finish(self, *, within: float) -> None:
        """Accept nothing new, and let running work end for `within` seconds."""
        self._stop_catching_up()
        await self._platform_app.finish(within=within)
        await self._work.finish(within=0)

    def _show_again(self) -> None:
        if self._home.is_looked_at:
            self._begin(self._home.publish_again, refuse=_say_nothing)

    def _listen(self) -> None:
        app = self.app
        app.use(self._store_first)
        for event in EVENTS:
            app.event(event)(self._on_event)
        for command in COMMANDS:
            app.command(command)(self._on_command)
        app.action(re.compile(".*"))(self._on_action)
        app.options(OFFER)(self._on_options)
        app.view(FORM)(self._on_form)
        app.view(LINE)(self._on_form)
        app.shortcut(SHORTCUT)(self._on_shortcut)
        for shortcut in IN_MENU:
            app.shortcut(shortcut)(self._on_menu)
        # An app may subscribe to more events than the manifest lists: accept and ignore them.
        app.event(re.compile(".*"))(_ignore)
        app.error(_unreadable)

    async def _store_first(self, body: Body, next: Next) -> BoltResponse | None:  # noqa: A002 (Bolt's name for it)
        """Store a message, an edit or a deletion before Slack gets the acknowledgement."""
        if not self._is_own_workspace(body):
            _log.info("An event of another workspace is ignored.")
            return BoltResponse(status=_TAKEN, body="")
        event = body.get("event")
        event = event if isinstance(event, dict) else {}
        if "event" in body:
            try:
                await self._take(event)
            except (NotKeptError, StorageError):
                # Without an acknowledgement Slack sends it again.
                return BoltResponse(status=_NOT_KEPT, body="")
            except Exception as error:  # noqa: BLE001 (the event would fail again)
                _log.warning("An event of type %s could not be read: %s", event.get("type"), type(error).__name__)
            if event.get("type") in _SAID or body.get("type") != "event_callback" or not event.get("type"):
                # Stop here: Bolt's search for a listener would take longer than storing did.
                return BoltResponse(status=_TAKEN, body="")
        await next()
        return None

    async def _take(self, event: Body) -> None:
        if _removes_bot(event):
            await self._workspace.services.left_servers.left([scope_of(self._workspace.me.team_id)])
        if event.get("ts"):
            self.intake.watermark_at(order_of(str(event["ts"])))
        match event.get("subtype"):
            case "message_deleted":
                await self.intake.deleted(self._ref(event, event["deleted_ts"]))
            case "message_changed":
                await self._edited(event)
            case _:
                said = self._said(event)
                if said is not None:
                    await self.intake.keep(said)

    def _said(self, event: Body) -> SlackMessage | None:
        if event.get("type") not in _SAID:
            return None
        me = self._workspace.me
        said = said_by(event, team_id=me.team_id, bot_id=me.bot_user_id)
        return said if said is not None and self._workspace.is_allowed(said.channel_id) else None

    def _is_own_workspace(self, body: Body) -> bool:
        """Whether an event, command or button comes from the workspace that this process serves."""
        teams = {body.get("team_id"), body.get("context_team_id")}
        teams |= {one.get("team_id") for one in (*(body.get("authorizations") or []), body.get("user") or {}) if one}
        teams |= {(body.get("team") or {}).get("id")}
        return self._workspace.me.team_id in teams

    async def _on_event(self, body: Body) -> None:
        """Show App Home, or post a welcome; messages are already stored."""
        event = body["event"]
        match event["type"], event.get("tab"):
            case "app_home_opened", "messages":
                act = partial(self._welcome.alone, str(event["user"]), str(event["channel"]))
            case "agent_session_stopped", _:
                act = partial(self._stop, event)
            case "app_home_opened", _:
                act = partial(self._home.open, str(event["user"]))
            case "member_joined_channel", _ if event.get("user") == self._workspace.me.bot_user_id:
                act = partial(self._welcome.in_channel, str(event["channel"]))
            case _:
                return
        self._begin(act, refuse=_say_nothing)

    async def _stop(self, event: Body) -> None:
        """Stop the answer whose stop button was pressed."""
        spot = Spot(channel=str(event["channel"]), thread_ts=event.get("thread_ts"))
        surface = SlackSurface(self._workspace, spot, str(event["user"]), ref=f"stopped:{event['event_ts']}")
        await self._platform_app.commands.run(surface, "stop", "")

    async def _edited(self, event: Body) -> None:
        """Take an edit; link previews that Slack adds also arrive as edits and are ignored."""
        message, before = event.get("message") or {}, event.get("previous_message") or {}
        ref = self._ref(event, message["ts"])
        if message.get("subtype") == "tombstone":
            await self.intake.deleted(ref)
        elif self._is_of_member(message) and message.get("text") != before.get("text"):
            text = without_bot(clean(message.get("text")), self._workspace.me.bot_user_id)
            people = {one: (await self._workspace.people.get(one)).name for one in people_in(text)}
            await self.intake.edited(ref, with_names(text, lambda one: people.get(one, "somebody")))
            said = self._said({**message, "type": "message", "channel": event["channel"]})
            if said is not None and said.mentions_bot:
                await self.intake.asked_by_edit(said)

    def _is_of_member(self, message: Body) -> bool:
        return not message.get("bot_id") and message.get("user") != self._workspace.me.bot_user_id

    async def _on_command(self, ack: AsyncAck, body: Body) -> None:
        await self._on_use(ack, body, self._commands.typed)

    async def _on_action(self, ack: AsyncAck, body: Body) -> None:
        await self._on_use(ack, body, self._commands.pressed)

    async def _on_menu(self, ack: AsyncAck, body: Body) -> None:
        await self._on_use(ack, body, self._commands.chosen)

    async def _on_use(self, ack: AsyncAck, body: Body, act: Callable[[Body], Awaitable[None]]) -> None:
        event = await self._commands.keep(body)
        await ack()
        self._begin(partial(act, body), refuse=self._refusal_in(body), event=event)

    async def _on_shortcut(self, ack: AsyncAck, body: Body) -> None:
        await ack()
        self._begin(partial(self._commands.called_for, body), refuse=self._refusal_in(body))

    async def _on_options(self, ack: AsyncAck, body: Body) -> None:
        await ack(options=await self._commands.offered(body))

    async def _on_form(self, ack: AsyncAck, body: Body) -> None:
        """Run a form; if it is refused within Slack's time limit, it stays open and shows the reason."""
        loop = asyncio.get_running_loop()
        refusal: asyncio.Future[Body] = loop.create_future()
        loop.call_later(_TO_REFUSE_S, settle, refusal, {})

        async def refuse(sentence: str) -> None:
            settle(refusal, refused(sentence))

        event = await self._commands.keep(body)
        self._begin(partial(self._commands.sent, body, refusal), refuse=refuse, event=event)
        await ack(**await refusal)

    def _begin(self, act: Callable[[], Awaitable[None]], *, refuse: Refuse, event: InboundEvent | None = None) -> None:
        """Run `act` in a task that a shutdown waits for; an error is logged and affects nothing else.

        Afterwards its stored event is finished, unless a shutdown interrupted it.
        """
        self._work.begin(self._undertake(act, refuse, event))

    async def _undertake(self, act: Callable[[], Awaitable[None]], refuse: Refuse, event: InboundEvent | None) -> None:
        async with self._platform_app.running_tasks.noted():
            try:
                await self._platform_app.running_tasks.run(act, refuse=refuse)
            except Exception as error:  # noqa: BLE001 (a bad payload must end only its own work)
                _log.warning("A command, button or form can't be read: %s", type(error).__name__)
            if event is not None:
                await self._commands.used.done(event)

    def _refusal_in(self, body: Body) -> Refuse:
        """Return a function that tells the member why their command is not run now."""
        return lambda sentence: used_in(self._workspace, body).tell(sentence)

    async def _find(self, said: SlackMessage) -> SlackMessageContext:
        return SlackMessageContext(self._workspace, said)

    def _ref(self, event: Body, ts: object) -> str:
        return ref_of(self._workspace.me.team_id, str(event["channel"]), str(ts))

    def _stop_catching_up(self) -> None:
        if self._catching_up is not None:
            self._catching_up.cancel()

    async def _keep_catching_up(self, looked: asyncio.Event) -> None:
        try:
            await self._platform_app.keep_catching_up(self._fetch_missed, looked=looked.set)
        finally:
            # Also set if a shutdown cancels the fetch: then nobody waits for it.
            looked.set()

    async def _fetch_missed(self, latest: dict[str, int], after: int, take: HandOver[SlackMessage]) -> None:
        async def hear(message: Body) -> None:
            said = self._said({"type": "message", **message})
            if said is not None:
                await take(said)

        await self._missed.fetch(latest, after, hear)


def _removes_bot(event: Body) -> bool:
    kind = event.get("type")
    return kind in GONE and (kind != "tokens_revoked" or bool((event.get("tokens") or {}).get("bot")))


async def _say_nothing(_: str) -> None:
    """Say nothing: the member did not ask in words."""


async def _unreadable(error: Exception, body: Body) -> BoltResponse:
    """Acknowledge a request that can't be read: Slack would resend it and it would fail again."""
    _log.warning("Something of type %s can't be read: %s", body.get("type") or "command", type(error).__name__)
    return BoltResponse(status=_TAKEN, body="")


async def _ignore() -> None:
    """Do nothing: Slack would resend an event without a listener."""
