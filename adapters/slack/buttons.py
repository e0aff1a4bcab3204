"""Buttons that are pressed: core's commands behind them, the form for the page, and private answers shown to all."""

import logging
from functools import partial
from typing import Any, Final

from adapters.platform.buttons import LASTING, PATTERN, SHOW
from adapters.slack.blocks import SET_PAGE, Spot
from adapters.slack.calls import LOST, RefusedError
from adapters.slack.command_flow import carry_out
from adapters.slack.forms import Forms
from adapters.slack.private import Interaction, respond, used_by
from adapters.slack.texts import escaped
from adapters.slack.workspace import Workspace
from core.app.commands.shown_commands import REVEAL, revealing
from core.app.commands.values import CommandResponse
from core.domain.errors import BookError, PositionError, ThusfarError

_log = logging.getLogger(__name__)

_LASTING: Final = LASTING | {REVEAL, SET_PAGE, SHOW}
_PLACE: Final = "tf1@"


class Buttons:
    """Carries out what a button says, by whoever presses it."""

    def __init__(self, workspace: Workspace, forms: Forms) -> None:
        self._workspace = workspace
        self._forms = forms

    async def pressed(self, body: dict[str, Any]) -> None:
        """Run the command; afterwards the buttons that make no sense any more are gone."""
        action = body["actions"][0]
        found = PATTERN.fullmatch(str(action.get("action_id", "")))
        if found is None:
            return
        command, text = found["command"], found["text"]
        if command == SET_PAGE:
            await self._forms.open(body, text or "setpage", _place_of(body))
            return
        used = await used_by(
            self._workspace,
            str(body["user"]["id"]),
            _place_of(body),
            ref=f"action:{body.get('trigger_id')}",
            since=(body.get("container") or {}).get("message_ts"),
        )
        failed = await carry_out(used, partial(self._run, used, command, text))
        if command not in _LASTING and (failed is None or isinstance(failed, (PositionError, BookError))):
            await self._leave_lasting(body)

    async def _run(self, used: Interaction, command: str, text: str) -> CommandResponse:
        if command == SHOW:
            return await self._show_to_all(used, int(text))
        return await self._workspace.services.commands.run(command, used.request(text))

    async def _show_to_all(self, used: Interaction, turn_id: int) -> CommandResponse:
        """Post a member's private answer, or, where it goes beyond the thread's page, a button that opens it.

        Pressed twice, it stands there once.

        Raises:
            ThusfarError: it is not theirs, it is gone, or the bot may not write there.
        """
        request, posting = used.request(), self._workspace.posting
        member_id = request.member.member_id
        answer = await self._workspace.services.answers.postable(turn_id, thread=request.thread, member_id=member_id)
        asker, ref = escaped(request.member.display_name), f"shown:{turn_id}"
        post = partial(posting.post, used.spot, ref=ref, turn_id=turn_id, again=True, since=used.since)
        try:
            if answer.goes_beyond:
                # Slack has no spoiler marks, and the question alone may give things away.
                line = f"**{asker} shares an answer.** {answer.warning}"
                await post(text=line, choices=[revealing(turn_id, member_id)])
            else:
                text = f"**{asker} asked:** {escaped(answer.question)}\n\n{answer.text}"
                await post(text=text, footer=answer.footer)
        except RefusedError as error:
            _log.warning("A private answer could not be shown: %s", error)
            raise ThusfarError("I may not write here, so the answer stays with you.") from None
        return CommandResponse(text="It stands here for everybody now.")

    async def _leave_lasting(self, body: dict[str, Any]) -> None:
        """Take the buttons that are done with from the message that was pressed; one for a member alone goes whole."""
        container, calls = body.get("container") or {}, self._workspace.calls
        try:
            if container.get("is_ephemeral"):
                if body.get("response_url"):
                    await respond(self._workspace, str(body["response_url"]), {"delete_original": True})
                return
            message = body.get("message") or {}
            await calls.ask(
                calls.client.chat_update,
                channel=str(container.get("channel_id") or body["channel"]["id"]),
                ts=str(message["ts"]),
                text=str(message.get("text") or ""),
                blocks=[block for block in map(_lasting, message.get("blocks") or []) if block],
            )
        except (*LOST, RefusedError, KeyError) as error:
            _log.info("The buttons of a message stay: %s", error)


def _place_of(body: dict[str, Any]) -> Spot:
    """Return what a button is about: what its row remembers, wherever it is shown."""
    key = str(body["actions"][0].get("block_id", ""))
    if key.startswith(_PLACE):
        return Spot.of_key(key.removeprefix(_PLACE))
    container = body.get("container") or {}
    return Spot(channel=str(container.get("channel_id", "")), thread_ts=container.get("thread_ts"))


def _lasting(block: dict[str, Any]) -> dict[str, Any] | None:
    if block.get("type") != "actions":
        return block
    kept = [one for one in block.get("elements", []) if _stays(str(one.get("action_id", "")))]
    return {**block, "elements": kept} if kept else None


def _stays(action_id: str) -> bool:
    found = PATTERN.fullmatch(action_id)
    return found is not None and found["command"] in _LASTING
