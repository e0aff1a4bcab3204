"""What is for one member's eyes: an ephemeral message where they are, or a DM where Slack would not show that.

Slack shows an ephemeral message in a thread only where the thread is active
(https://docs.slack.dev/reference/methods/chat.postEphemeral).
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import aiohttp

from adapters.slack.blocks import Part, Spot, body_of, parts_of
from adapters.slack.calls import LOST, OutOfReachError, RefusedError
from adapters.slack.listening import is_direct, thread_of
from adapters.slack.people import PLATFORM
from adapters.slack.texts import as_typed_in_threads
from adapters.slack.workspace import Workspace
from core.app.commands.values import Choice, CommandRequest
from core.domain.conversation import Author
from core.domain.errors import NotPermittedError

_log = logging.getLogger(__name__)

_OK: Final = 200
_MOST_PARTS: Final = 4
"""An answer address may be used five times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """A command, a button or a form that a member used: by whom, where, and where they can be answered.

    `ref` names it for good. `response_url` is Slack's address for answers to it, where it gave one; an ephemeral
    message is shown in the thread only if it `is_active`. `since` is the `ts` of what a button was pressed under.
    """

    workspace: Workspace
    spot: Spot
    member: Author
    user_id: str
    is_organiser: bool
    ref: str
    response_url: str | None = None
    is_active: bool = True
    since: str | None = None

    @property
    def direct(self) -> bool:
        """Whether it was used in a DM."""
        return is_direct(self.spot.channel)

    def request(self, text: str = "") -> CommandRequest:
        """Return it as core's request.

        Raises:
            NotPermittedError: the operator does not let the bot speak there.
        """
        if not self.workspace.is_allowed(self.spot.channel):
            raise NotPermittedError("I am not set up to speak in this channel.")
        return CommandRequest(
            thread=thread_of(
                self.workspace.me.team_id,
                self.spot.channel,
                self.spot.thread_ts,
                user_id=self.user_id,
                direct=self.direct,
            ),
            member=self.member,
            is_organiser=self.is_organiser or self.direct,
            text=text,
        )


def used_in(workspace: Workspace, payload: dict[str, Any]) -> Interaction:
    """Return what was used as far as Slack itself tells of it, without asking who it was: enough to answer them."""
    user_id = str(payload.get("user_id") or (payload.get("user") or {}).get("id"))
    channel = payload.get("channel_id") or (payload.get("channel") or {}).get("id")
    return Interaction(
        workspace=workspace,
        spot=Spot(channel=str(channel or "")),
        member=Author(member_id=f"{PLATFORM}:{user_id}", display_name="somebody"),
        user_id=user_id,
        is_organiser=False,
        ref=f"used:{payload.get('trigger_id')}",
        response_url=payload.get("response_url"),
    )


async def used_by(
    workspace: Workspace,
    user_id: str,
    spot: Spot,
    *,
    ref: str,
    response_url: str | None = None,
    is_active: bool = True,
    since: str | None = None,
) -> Interaction:
    """Return what a member used, with their name and rights as Slack tells of them."""
    person = await workspace.people.get(user_id)
    return Interaction(
        workspace=workspace,
        spot=spot,
        member=person.author,
        user_id=user_id,
        is_organiser=await workspace.people.is_organiser(user_id),
        ref=ref,
        response_url=response_url,
        is_active=is_active,
        since=since,
    )


async def tell(used: Interaction, text: str, *, choices: Sequence[Choice] = ()) -> bool:
    """Show a text to the member alone, the buttons under its last part; False where Slack did not take it."""
    if used.spot.thread_ts is not None:
        text = as_typed_in_threads(text, used.workspace.me.name)
    parts = parts_of(text, about=used.spot, choices=choices)
    for way in (_by_address, _directly) if used.direct else (_by_address, _ephemerally, _directly):
        try:
            if await way(used, parts):
                return True
        except (*LOST, RefusedError) as error:
            _log.info("%s was not answered by %s: %s", used.ref, way.__name__, error)
    _log.warning("%s could not be answered.", used.ref)
    return False


async def _by_address(used: Interaction, parts: list[Part]) -> bool:
    """Answer at the address that a slash command came with: that works also where the bot is no member."""
    if used.response_url is None or len(parts) > _MOST_PARTS:
        return False
    for part in parts:
        body = {name: value for name, value in body_of(part).items() if name in ("text", "blocks")}
        await respond(
            used.workspace, used.response_url, {"response_type": "ephemeral", "replace_original": False} | body
        )
    return True


async def _ephemerally(used: Interaction, parts: list[Part]) -> bool:
    if not used.is_active or not used.spot.channel:
        return False
    calls = used.workspace.calls
    where: dict[str, Any] = {"channel": used.spot.channel, "user": used.user_id}
    if used.spot.thread_ts is not None:
        where["thread_ts"] = used.spot.thread_ts
    for part in parts:
        body = {name: value for name, value in body_of(part).items() if not name.startswith("unfurl")}
        await calls.ask(calls.client.chat_postEphemeral, **where, **body)
    return True


async def _directly(used: Interaction, parts: list[Part]) -> bool:
    workspace, channel = used.workspace, used.spot.channel
    if not used.direct:
        opened = await workspace.calls.ask(workspace.calls.client.conversations_open, users=used.user_id)
        channel = str(opened["channel"]["id"])
    thread_ts = used.spot.thread_ts if used.direct else None
    for number, part in enumerate(parts):
        await workspace.posting.post(
            Spot(channel=channel, thread_ts=thread_ts),
            part.text,
            ref=f"{used.ref}:private:{number}",
            about=used.spot,
            choices=part.choices,
        )
    return True


async def respond(workspace: Workspace, address: str, body: dict[str, Any]) -> None:
    """Post to an answer address (https://docs.slack.dev/interactivity/handling-user-interaction#message_responses).

    Raises:
        OutOfReachError: Slack did not take it.
    """
    timeout = aiohttp.ClientTimeout(total=workspace.calls.retry.one_call)
    try:
        async with workspace.calls.session.post(address, json=body, timeout=timeout, allow_redirects=False) as response:
            if response.status != _OK:
                raise OutOfReachError(f"status {response.status}")
    except (aiohttp.ClientError, OSError) as error:
        raise OutOfReachError(type(error).__name__) from error
