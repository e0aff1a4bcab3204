"""Slack forms: one to choose a page or a title, and one for any command where Slack has no slash commands."""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from adapters.platform.surface import OutOfReachError, RefusedError
from adapters.slack.render import Spot
from adapters.slack.surface import used_in
from adapters.slack.workspace import Workspace
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice, Command, Suggestion

_log = logging.getLogger(__name__)

FORM: Final = "tf1-form"
LINE: Final = "tf1-line"
OFFER: Final = "tf1-offer"
_TEXT: Final = "text"
_CHOSEN: Final = "chosen"
_MOST_OFFERED: Final = 100
_LONGEST_LABEL: Final = 75
_LONGEST_VALUE: Final = 150
_NO_FORM: Final = sentence("Slack didn't open the form in time. Please try again.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A submitted form: its command and text, the place that it is about, and whether an answer would be seen there.

    `choice` is the form's signed choice.
    """

    choice: Choice
    text: str
    spot: Spot
    is_active: bool


async def open_form(
    workspace: Workspace, body: dict[str, Any], words: str, spot: Spot, *, is_active: bool = True
) -> None:
    """Open a command's form; for no words, the form for any command. On failure, tell the member."""
    surface, calls = used_in(workspace, body, spot), workspace.calls
    (form,) = await surface.sealed([Choice(label="", command=words)], alone=True)
    view = _view(form, workspace.services.commands.get(words), spot, is_active=is_active)
    try:
        await calls.at_once(calls.client.views_open, trigger_id=str(body["trigger_id"]), view=view)
    except (OutOfReachError, RefusedError) as error:
        _log.warning("A form could not be opened: %s", error)
        await used_in(workspace, body).tell(say(_NO_FORM))


def _view(form: Choice, command: Command | None, spot: Spot, *, is_active: bool) -> dict[str, Any]:
    words = form.command
    remembered = json.dumps({"words": words, "seal": form.seal, "spot": spot.key, "active": is_active})
    if command is None:
        title = "Thusfar"
        blocks = [_typed(say("What should I do?"), say("setpage 120, mypage 240, where, ask Who is Hallam?"))]
    else:
        title = say(command.title) if command.title else words.capitalize()
        blocks = [_typed(say(command.help).capitalize(), command.usage)]
        if command.takes is not None and command.takes.suggest is not None:
            blocks[0]["optional"] = True
            blocks.insert(0, _chosen())
    return {
        "type": "modal",
        "callback_id": LINE if command is None else FORM,
        "private_metadata": remembered,
        "title": _plain(title),
        "submit": _plain(say("Send")),
        "close": _plain(say("Cancel")),
        "blocks": blocks,
    }


def filled(view: dict[str, Any]) -> Filled:
    """Return what a form holds: the chosen option, else the typed text; without a seal if it can't be read."""
    try:
        remembered = dict(json.loads(view.get("private_metadata") or "{}"))
    except (TypeError, ValueError, RecursionError):
        remembered = {}
    values = (view.get("state") or {}).get("values") or {}
    typed = ((values.get(_TEXT) or {}).get(_TEXT) or {}).get("value") or ""
    chosen = ((values.get(_CHOSEN) or {}).get(OFFER) or {}).get("selected_option") or {}
    return Filled(
        choice=Choice(label="", command=str(remembered.get("words", "")), seal=str(remembered.get("seal", ""))),
        text=str(chosen.get("value") or typed).strip(),
        spot=Spot.of_key(str(remembered.get("spot", ""))),
        is_active=bool(remembered.get("active", True)),
    )


def settle(refusal: "asyncio.Future[dict[str, Any]]", answer: dict[str, Any]) -> bool:
    """Answer a form unless it was answered; return whether this answer was used."""
    if refusal.done():
        return False
    refusal.set_result(answer)
    return True


def refused(sentence: str) -> dict[str, Any]:
    """Return the answer that keeps a form open, with a sentence under the typed text."""
    return {"response_action": "errors", "errors": {_TEXT: sentence}}


def _typed(label: str, placeholder: str) -> dict[str, Any]:
    return {
        "type": "input",
        "block_id": _TEXT,
        "label": _plain(label),
        "element": {
            "type": "plain_text_input",
            "action_id": _TEXT,
            "max_length": 1000,
            "placeholder": _plain(placeholder[:_LONGEST_VALUE]),
        },
    }


def _chosen() -> dict[str, Any]:
    return {
        "type": "input",
        "block_id": _CHOSEN,
        "optional": True,
        "label": _plain(say("Choose")),
        "element": {"type": "external_select", "action_id": OFFER, "min_query_length": 0},
    }


def offered(found: Sequence[Suggestion]) -> list[dict[str, Any]]:
    """Return suggestions in Slack's format."""
    return [_option(one) for one in found if len(one.text) <= _LONGEST_VALUE][:_MOST_OFFERED]


def _option(one: Suggestion) -> dict[str, Any]:
    label = one.label if len(one.label) <= _LONGEST_LABEL else f"{one.label[: _LONGEST_LABEL - 1]}…"
    return {"text": _plain(label), "value": one.text}


def _plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}
