"""Slash commands, forms and the shortcut: what is typed becomes a command of core's registry."""

import asyncio
import html
from typing import Any, Final

from adapters.slack.blocks import Spot
from adapters.slack.command_flow import run
from adapters.slack.forms import LINE, Forms, filled, refused, settle
from adapters.slack.listening import is_direct
from adapters.slack.private import tell, used_by, used_in
from adapters.slack.workspace import Workspace
from core.domain.errors import PositionError, ThusfarError

_SETPAGE: Final = "/setpage"
_PLACES: Final = ("setpage", "mypage")

Body = dict[str, Any]


class Commands:
    """Runs what members type, in whatever Slack lets them type it."""

    def __init__(self, workspace: Workspace, forms: Forms) -> None:
        self._workspace = workspace
        self._forms = forms
        self._registry = workspace.services.commands

    async def typed(self, body: Body) -> None:
        """Run a slash command; one that lacks what could be chosen opens a form (Slack: a command has no thread)."""
        text = html.unescape(str(body.get("text") or "")).strip().removeprefix("/")
        line = f"setpage {text}" if body.get("command") == _SETPAGE else text
        spot = Spot(channel=str(body["channel_id"]))
        try:
            words, rest = self._registry.parse(line or "help")
        except ThusfarError as error:
            await tell(used_in(self._workspace, body), str(error))
            return
        if not rest and self._is_chosen(words):
            # Before anything else is asked of Slack: a form may be opened within three seconds.
            await self._forms.open(body, words, spot)
            return
        used = await used_by(
            self._workspace,
            str(body["user_id"]),
            spot,
            ref=f"slash:{body['trigger_id']}",
            response_url=body.get("response_url"),
        )
        await run(used, words, rest)

    async def called_for(self, body: Body) -> None:
        """Open the form that takes any command, about the thread of the message that the shortcut was used on."""
        message, channel = body.get("message") or {}, str(body["channel"]["id"])
        thread_ts = None if is_direct(channel) else str(message.get("thread_ts") or message["ts"])
        is_active = bool(message.get("thread_ts")) or int(message.get("reply_count") or 0) > 0
        await self._forms.open(body, "", Spot(channel=channel, thread_ts=thread_ts), is_active=is_active)

    async def offered(self, body: Body) -> list[dict[str, Any]]:
        """Return what may be chosen in a form."""
        view = body.get("view") or {}
        form = filled(view)
        used = await used_by(self._workspace, str(body["user"]["id"]), form.spot, ref="offer")
        return await self._forms.offered(used, form.words, str(body.get("value") or ""))

    async def sent(self, body: Body, refusal: "asyncio.Future[dict[str, Any]]") -> None:
        """Run what a form says; `refusal` gets what keeps it open, or that it may close."""
        view = body["view"]
        form = filled(view)
        try:
            words, text = form.words, form.text
            if view.get("callback_id") == LINE:
                words, text = self._registry.parse(form.text.removeprefix("/"))
            user_id, ref = str(body["user"]["id"]), f"form:{view['id']}"
            used = await used_by(self._workspace, user_id, form.spot, ref=ref, is_active=form.is_active)
            if not text and self._registry_takes(words):
                settle(refusal, refused("Say which, please."))
                return
            if words not in _PLACES:
                settle(refusal, {})
            # A place that is not in the book is said in the form itself.
            await run(used, words, text, told=lambda error: _kept_open(refusal, error))
        except ThusfarError as error:
            settle(refusal, refused(str(error)))
        finally:
            settle(refusal, {})

    def _is_chosen(self, words: str) -> bool:
        return any(one.words == words and one.suggest is not None for one in self._registry.listed())

    def _registry_takes(self, words: str) -> bool:
        return any(
            one.words == words and one.takes and not one.takes.startswith("[") for one in self._registry.listed()
        )


def _kept_open(refusal: "asyncio.Future[dict[str, Any]]", error: Exception) -> bool:
    return isinstance(error, PositionError) and settle(refusal, refused(str(error)))
