"""Posts texts in channels and threads: in order, one message per second and channel, and each once.

Slack doesn't recognise repeated posts. So each part carries an id in its metadata
(https://docs.slack.dev/messaging/message-metadata), and is searched for before it is posted a second time.
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from adapters.platform.retry import retried
from adapters.platform.surface import OutOfReachError, RefusedError, TooOftenError
from adapters.slack.calls import SlackCalls
from adapters.slack.plan import StreamedPlan
from adapters.slack.render import MessagePart, Spot, body_of, parts_of
from core.club.commands.values import Choice
from core.domain.keyed_locks import KeyedLocks

_log = logging.getLogger(__name__)

EVENT_TYPE: Final = "thusfar_part"
_NO_MARKDOWN: Final = frozenset({"invalid_blocks", "invalid_blocks_format", "unsupported_block_type"})
_TOO_LONG: Final = frozenset({"msg_too_long", "msg_blocks_too_long"})
_SHORTER: Final = 3_500
_LOOKED_BACK_S: Final = 600
_MOST_LOOKED_AT: Final = 200
_MOST_PACED: Final = 1_000


class ChannelThrottle:
    """Allows a channel one message every so many seconds, first come, first served."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._next: dict[str, float] = {}

    async def turn(self, channel: str) -> None:
        """Wait for the channel's next turn."""
        now = asyncio.get_running_loop().time()
        if len(self._next) > _MOST_PACED:
            self._next = {one: at for one, at in self._next.items() if at > now}
        at = max(now, self._next.get(channel, now))
        self._next[channel] = at + self._seconds
        if at > now:
            await asyncio.sleep(at - now)


class Posting:
    """Posts public messages.

    Args:
        calls: Slack's Web API.
        own_id: the bot's user id, which identifies its own messages.
        pause: the minimum number of seconds between two messages in a channel.
    """

    def __init__(self, calls: SlackCalls, *, own_id: str, pause: float) -> None:
        self._calls = calls
        self._own_id = own_id
        self._throttle = ChannelThrottle(pause)
        self._takes_markdown = True
        self._locks = KeyedLocks()

    async def post(  # noqa: PLR0913 (keyword-only but for two)
        self,
        to: Spot,
        text: str,
        *,
        ref: str,
        about: Spot | None = None,
        footer: str = "",
        choices: Sequence[Choice] = (),
        turn_id: int | None = None,
        role: str = "",
        again: bool = False,
        since: str | None = None,
        plan: StreamedPlan | None = None,
    ) -> list[str]:
        """Post a text in as many messages as it needs; return their `ts`, in order.

        Args:
            to: the channel or thread.
            text: Markdown.
            ref: permanent id of the post; parts that are already there are not posted again.
            about: the place that the buttons are about, if it is another one.
            footer: small line under the last message.
            choices: the buttons under the last message.
            turn_id: the turn that it answers, stored in the metadata.
            role: the user group to mention.
            again: whether an earlier attempt may have posted it.
            since: the `ts` after which it may have been posted.
            plan: a streaming message that becomes the first message, if Slack allows it.

        Raises:
            OutOfReachError: Slack can't be reached.
            RefusedError: it may not be posted there.
        """
        oldest = since or f"{time.time() - _LOOKED_BACK_S:.6f}"
        async with self._locks.of(ref):
            standing = await self._already_posted(to, ref, oldest) if again else {}
            posted: list[str] = []
            parts = parts_of(text, about=about or to, footer=footer, choices=choices, role=role)
            for number, part in enumerate(parts):
                into = plan if number == 0 else None
                mark = _PartMark(ref=ref, part=str(number), turn_id=turn_id, oldest=oldest, plan=into)
                posted += await self._posted(to, part, mark, standing)
        return posted

    async def is_posted(self, to: Spot, *, ref: str, since: str) -> bool:
        """Return whether a post with this id exists after a `ts`. Raises OutOfReachError."""
        return bool(await self._already_posted(to, ref, since))

    async def _posted(self, to: Spot, part: MessagePart, mark: "_PartMark", standing: dict[str, str]) -> list[str]:
        """Post one part; split it further if Slack finds it too long."""
        if mark.part in standing:
            return [standing[mark.part]]
        try:
            return [await self._post_once(to, part, mark)]
        except RefusedError as error:
            if error.code not in _TOO_LONG or len(part.text) <= _SHORTER:
                raise
        pieces = parts_of(
            part.text, about=part.about, footer=part.footer, choices=part.choices, role=part.role, limit=_SHORTER
        )
        posted = []
        for number, piece in enumerate(pieces):
            posted += await self._posted(to, piece, replace(mark, part=f"{mark.part}.{number}"), standing)
        return posted

    async def _post_once(self, to: Spot, part: MessagePart, mark: "_PartMark") -> str:
        """Post one message; if it is unknown whether it arrived, look for it before posting again."""
        may_stand = False

        async def attempt() -> str:
            nonlocal may_stand
            if may_stand:
                found = (await self._already_posted(to, mark.ref, mark.oldest)).get(mark.part)
                if found is not None:
                    return found
            await self._throttle.turn(to.channel)
            try:
                return await self._call(to, part, mark)
            except OutOfReachError as error:
                may_stand = may_stand or not isinstance(error, TooOftenError)
                raise

        return await retried(attempt, self._calls.retry)

    async def _call(self, to: Spot, part: MessagePart, mark: "_PartMark") -> str:
        arguments: dict[str, Any] = {"channel": to.channel, "metadata": mark.metadata}
        if mark.plan is not None:
            try:
                return await self._end_plan(mark.plan, body_of(part)["blocks"], arguments)
            except RefusedError as error:
                _log.info("A plan could not become its answer (%s), which is posted by itself.", error)
        if to.thread_ts is not None:
            arguments["thread_ts"] = to.thread_ts
        post = self._calls.client.chat_postMessage
        if self._takes_markdown:
            try:
                return str((await self._calls.at_once(post, **arguments, **body_of(part)))["ts"])
            except RefusedError as error:
                if error.code not in _NO_MARKDOWN:
                    raise
                _log.warning("Slack refuses markdown blocks here (%s): answers are shown in sections.", error)
                self._takes_markdown = False
        return str((await self._calls.at_once(post, **arguments, **body_of(part, in_sections=True)))["ts"])

    async def _end_plan(self, plan: StreamedPlan, blocks: list[dict[str, Any]], arguments: dict[str, Any]) -> str:
        """Put an answer under its plan; its text goes with the plan, so that notifications have it."""
        text = [{"type": "markdown_text", "text": one["text"]} for one in blocks if one["type"] == "markdown"]
        stop, chunks = self._calls.client.chat_stopStream, [*plan.chunks(done=True), *text]
        await self._calls.at_once(stop, ts=plan.ts, chunks=chunks, blocks=blocks[len(text) :], **arguments)
        return str(plan.ts)

    async def _already_posted(self, to: Spot, ref: str, oldest: str) -> dict[str, str]:
        """Return the parts of a post that are already there, with their `ts`."""
        try:
            own = await self.own_messages(to, oldest=oldest)
        except RefusedError as error:
            _log.warning("Channel %s may not be read (%s).", to.channel, error)
            return {}
        marks = [(one, payload_of(one)) for one in own]
        return {str(payload["part"]): str(one["ts"]) for one, payload in marks if payload.get("ref") == ref}

    async def own_messages(self, where: Spot, **window: str) -> list[dict[str, Any]]:
        """Return the bot's own messages in a place. Raises OutOfReachError, or RefusedError if it may not be read."""
        found = await self._calls.messages(
            where.channel, where.thread_ts, limit=_MOST_LOOKED_AT, include_all_metadata=True, **window
        )
        return [one for one in found if one.get("user") == self._own_id]


@dataclass(frozen=True, slots=True, kw_only=True)
class _PartMark:
    """Identifies a part of a post in its metadata."""

    ref: str
    part: str
    turn_id: int | None
    oldest: str
    plan: StreamedPlan | None = None

    @property
    def metadata(self) -> dict[str, Any]:
        payload: dict[str, Any] = {"ref": self.ref, "part": self.part}
        if self.turn_id is not None:
            payload["turn"] = self.turn_id
        return {"event_type": EVENT_TYPE, "event_payload": payload}


def payload_of(message: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata payload of the bot's message; empty for others."""
    metadata = message.get("metadata") or {}
    return dict(metadata.get("event_payload") or {}) if metadata.get("event_type") == EVENT_TYPE else {}
