"""Slash commands, forms, buttons and shortcuts, each run as a command of core's registry."""

import asyncio
import hashlib
import html
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from typing_extensions import override

from adapters.platform.buttons import NOT_VALID, SHOW, pressed_in
from adapters.platform.platform_app import PlatformApp
from adapters.platform.surface import OutOfReachError, RefusedError
from adapters.platform.used import UsedCommands
from adapters.slack.forms import LINE, filled, offered, open_form, refused, settle
from adapters.slack.hiding import hide_turn
from adapters.slack.listening import SlackMessage, is_direct
from adapters.slack.manifest import IN_MENU
from adapters.slack.people import PLATFORM
from adapters.slack.render import FEEDBACK, SET_PAGE, Spot
from adapters.slack.surface import SlackSurface, used_in
from adapters.slack.workspace import Workspace
from core.catalogue.sentences import say
from core.club.commands.values import Choice, Command, OptionKind
from core.domain.errors import PositionError, ThusfarError
from core.domain.inbound import InboundEvent

_SETPAGE: Final = "/setpage"
_log = logging.getLogger(__name__)

_OF_COMMAND: Final = ("command", "text", "channel_id", "user_id", "trigger_id", "response_url")
_OF_BUTTON: Final = ("actions", "container", "channel", "user", "trigger_id", "response_url")
_OF_FORM: Final = ("user", "trigger_id")
_OF_MENU: Final = ("callback_id", "channel", "user", "trigger_id", "response_url")
_OF_MESSAGE: Final = ("text", "thread_ts")
_OF_VIEW: Final = ("id", "callback_id", "private_metadata", "state")
_LASTING: Final = (SET_PAGE, SHOW)
"""The platform's own buttons that can be pressed again."""

Body = dict[str, Any]


class Commands:
    """Runs the commands that members type or choose in Slack."""

    def __init__(self, workspace: Workspace, platform_app: PlatformApp[SlackMessage]) -> None:
        self._workspace = workspace
        self._commands = platform_app.commands
        self._buttons = platform_app.buttons
        self._registry = workspace.services.commands
        self.used = UsedCommands(workspace.services.inbox, PLATFORM, self._registry)

    async def typed(self, body: Body) -> None:
        """Run a slash command, which has no thread; one that lacks a text which could be chosen opens a form."""
        surface = used_in(self._workspace, body)
        try:
            words, rest = self._registry.typed(_line_of(body))
        except ThusfarError as error:
            await surface.tell(str(error))
            return
        if not rest and self._is_chosen(words):
            # Nothing else is requested from Slack before this: a form must be opened within three seconds.
            await open_form(self._workspace, body, words, surface.spot)
            return
        await self._commands.run(surface, words, rest)

    async def keep(self, body: Body) -> InboundEvent | None:
        """Store what was used; return None for a button that only opens a form, which is not stored."""
        used_id = str(body.get("trigger_id"))
        if "actions" in body:
            pressed = _pressed(body)
            if pressed is None or self._opens_form(pressed):
                return None
            place, words, told = _spot_of(body).channel, pressed.command, _some(body, _OF_BUTTON)
        elif "view" in body:
            view = _some(body["view"], _OF_VIEW)
            place, words = str(body["user"]["id"]), self._command_in(body)[0]
            told = {**_some(body, _OF_FORM), "view": view}
            # A refused form may be sent again with other contents.
            used_id = f"{view['id']}:{hashlib.blake2b(repr(view.get('state')).encode(), digest_size=8).hexdigest()}"
        elif _is_of_menu(body):
            place, words = str(body["channel"]["id"]), IN_MENU[body["callback_id"]]
            told = {**_some(body, _OF_MENU), "message": _some(body["message"], _OF_MESSAGE)}
        else:
            place, words = str(body.get("channel_id") or ""), self._command_in(body)[0]
            told = _some(body, _OF_COMMAND)
        return await self.used.keep(place=place, used_id=used_id, words=words, payload={"body": told})

    async def take_up(self, event: InboundEvent, sentence: str | None) -> None:
        """Finish a slash command, a button or a form that an earlier process left."""
        body: Body = event.payload["body"]  # type: ignore[assignment]  # as it was stored
        surface = self._used_in(body)
        if sentence is not None:
            await surface.tell(sentence)
        elif (pressed := _pressed(body)) is not None:
            await self._buttons.press(surface, pressed, again=True)
        elif "view" in body and not await surface.proves(filled(body["view"]).choice):
            await surface.tell(say(NOT_VALID))
        elif _is_of_menu(body):
            await self.chosen(body, again=True)
        else:
            await self._commands.run(surface, *self._command_in(body), again=True)

    def _used_in(self, body: Body) -> SlackSurface:
        if "actions" in body:
            return _PressedSurface(self._workspace, _spot_of(body), body)
        if "view" in body:
            settled: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
            settled.set_result({})  # the form is closed
            return _FormSurface(self._workspace, body, settled)
        return used_in(self._workspace, body, _spot_on(body) if _is_of_menu(body) else None)

    def _command_in(self, body: Body) -> tuple[str, str]:
        """Return the words and the text of a slash command or a form; of an unknown command, the whole line."""
        line = _line_of(body)
        if "view" in body:
            form = filled(body["view"])
            if body["view"].get("callback_id") != LINE:
                return form.choice.command, form.text
            line = form.text.removeprefix("/")
        try:
            return self._registry.parse(line)
        except ThusfarError:
            return line, ""

    async def pressed(self, body: Body) -> None:
        """Run a button."""
        pressed, spot = _pressed(body), _spot_of(body)
        surface = _PressedSurface(self._workspace, spot, body)
        if pressed is None or not await surface.proves(pressed):
            await used_in(self._workspace, body).tell(say(NOT_VALID))
        elif self._opens_form(pressed):
            text = pressed.text or "setpage"
            await open_form(self._workspace, body, text if pressed.command == SET_PAGE else pressed.command, spot)
        else:
            await self._buttons.press(surface, pressed)

    async def called_for(self, body: Body) -> None:
        """Open the form for any command, about the thread of the message on which the shortcut was used."""
        message, channel = body.get("message") or {}, str(body["channel"]["id"])
        thread_ts = None if is_direct(channel) else str(message.get("thread_ts") or message["ts"])
        is_active = bool(message.get("thread_ts")) or int(message.get("reply_count") or 0) > 0
        await open_form(self._workspace, body, "", Spot(channel=channel, thread_ts=thread_ts), is_active=is_active)

    async def chosen(self, body: Body, *, again: bool = False) -> None:
        """Run the command of a message shortcut, on the message's text."""
        words, said = IN_MENU[body["callback_id"]], html.unescape(str(body["message"].get("text") or ""))
        await self._commands.run(self._used_in(body), words, said, again=again)

    async def offered(self, body: Body) -> list[dict[str, Any]]:
        """Return the options for a form's menu."""
        form = filled(body.get("view") or {})
        surface = used_in(self._workspace, body, form.spot)
        if not await surface.proves(form.choice):
            return []
        typed = str(body.get("value") or "")
        return offered(await self._commands.suggestions(surface, form.choice.command, typed))

    async def sent(self, body: Body, refusal: "asyncio.Future[dict[str, Any]]") -> None:
        """Run a submitted form; `refusal` gets the answer that keeps the form open or closes it."""
        view = body["view"]
        form = filled(view)
        surface = _FormSurface(self._workspace, body, refusal)
        if not await surface.proves(form.choice):
            settle(refusal, refused(say(NOT_VALID)))
            return
        try:
            words, text = form.choice.command, form.text
            if view.get("callback_id") == LINE:
                words, text = self._registry.typed(form.text.removeprefix("/"))
            if not text and self._needs_text(words):
                settle(refusal, refused(say("Please say which one.")))
                return
            if not _says_page(self._registry.get(words)):
                settle(refusal, {})
            await self._commands.run(surface, words, text)
        except ThusfarError as error:
            settle(refusal, refused(str(error)))
        finally:
            settle(refusal, {})

    def _opens_form(self, pressed: Choice) -> bool:
        return pressed.command == SET_PAGE or (not pressed.text and self._registry.form(pressed.command) is not None)

    def _is_chosen(self, words: str) -> bool:
        command = self._registry.get(words)
        return command is not None and command.takes is not None and command.takes.suggest is not None

    def _needs_text(self, words: str) -> bool:
        command = self._registry.get(words)
        return command is not None and command.needs_text


def _says_page(command: Command | None) -> bool:
    """Whether a form's text is a page; an invalid page is then reported in the form."""
    return command is not None and command.takes is not None and command.takes.kind is OptionKind.PAGE


def _pressed(body: Body) -> Choice | None:
    """Return the choice of a button, unchecked; for Slack's feedback buttons, the one that was pressed."""
    action = next(iter(body.get("actions") or ()), None) or {}
    found = pressed_in(action.get("action_id"))
    if found is not None and found[0].command == FEEDBACK:
        found = pressed_in(action.get("value"))
    return None if found is None else found[0]


def _is_of_menu(body: Body) -> bool:
    return body.get("callback_id") in IN_MENU


def _spot_on(body: Body) -> Spot:
    """Return the channel or thread of a message."""
    channel, thread_ts = str(body["channel"]["id"]), body["message"].get("thread_ts")
    return Spot(channel=channel, thread_ts=None if thread_ts is None or is_direct(channel) else str(thread_ts))


def _some(body: Body, names: Iterable[str]) -> Body:
    return {name: body[name] for name in names if name in body}


def _line_of(body: Body) -> str:
    text = html.unescape(str(body.get("text") or "")).strip().removeprefix("/")
    return (f"setpage {text}" if body.get("command") == _SETPAGE else text) or "help"


def _spot_of(body: Body) -> Spot:
    """Return the place that a button is about, from its row's id."""
    _, is_ours, key = str(body["actions"][0].get("block_id", "")).partition("@")
    if is_ours:
        return Spot.of_key(key)
    container = body.get("container") or {}
    return Spot(channel=str(container.get("channel_id", "")), thread_ts=container.get("thread_ts"))


class _FormSurface(SlackSurface):
    """A submitted form; an invalid page is reported in the form while it is open."""

    def __init__(self, workspace: Workspace, body: Body, refusal: "asyncio.Future[dict[str, Any]]") -> None:
        view = body["view"]
        form = filled(view)
        ref = f"form:{view['id']}"
        super().__init__(workspace, form.spot, str(body["user"]["id"]), ref=ref, is_active=form.is_active)
        self._refusal = refusal

    @override
    async def refuse(self, error: Exception, sentence: str) -> None:
        if not (isinstance(error, PositionError) and settle(self._refusal, refused(sentence))):
            await self.tell(sentence)


class _PressedSurface(SlackSurface):
    """A pressed button; the place that it is about comes from its row."""

    def __init__(self, workspace: Workspace, spot: Spot, body: dict[str, Any]) -> None:
        container = body.get("container") or {}
        super().__init__(
            workspace,
            spot,
            str(body["user"]["id"]),
            ref=f"action:{body.get('trigger_id')}",
            since=container.get("message_ts"),
        )
        self._body = body

    @override
    async def put_away(self, turn_id: int, line: str, choices: Sequence[Choice]) -> bool:
        return await hide_turn(self._workspace, self.spot, turn_id, line, await self.sealed(choices))

    @override
    async def retire_buttons(self, stays: Callable[[str], bool]) -> None:
        """Remove the buttons that are finished; a private message that is no answer is deleted."""
        body, container = self._body, self._body.get("container") or {}
        pressed = _pressed(body)
        if pressed is not None and pressed.command in _LASTING:
            return
        try:
            if container.get("is_ephemeral"):
                if body.get("response_url"):
                    await self._calls.post(str(body["response_url"]), json={"delete_original": True})
                return
            message = body.get("message") or {}
            await self._calls.ask(
                self._calls.client.chat_update,
                channel=str(container.get("channel_id") or body["channel"]["id"]),
                ts=str(message["ts"]),
                text=str(message.get("text") or ""),
                blocks=[block for one in message.get("blocks") or [] if (block := _lasting(one, stays))],
            )
        except (OutOfReachError, RefusedError, KeyError) as error:
            _log.info("The buttons of a message stay: %s", error)


def _lasting(block: dict[str, Any], stays: Callable[[str], bool]) -> dict[str, Any] | None:
    if block.get("type") != "actions":
        return block
    kept = [one for one in block.get("elements", []) if _stays(str(one.get("action_id", "")), stays)]
    return {**block, "elements": kept} if kept else None


def _stays(action_id: str, stays: Callable[[str], bool]) -> bool:
    found = pressed_in(action_id)
    return found is not None and (found[0].command in _LASTING or stays(found[0].command))
