"""What is stored of what members use in Slack, before Slack is told that we have it, until it is done."""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from adapters.platform.running_tasks import Refuse
from adapters.platform.used import UsedCommands
from core.domain.inbound import InboundEvent

Act = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredUse:
    """A command, a button or a form: where it was used, its words, and what Slack told, as far as that is needed."""

    place: str
    words: str
    body: dict[str, Any]

    @property
    def used_id(self) -> str:
        """What tells it from all others; a form that was refused may be sent once more, with something else in it."""
        view = self.body.get("view")
        if view is None:
            return str(self.body.get("trigger_id"))
        return f"{view['id']}:{hashlib.blake2b(repr(view.get('state')).encode(), digest_size=8).hexdigest()}"


class Use:
    """One use: over when it was carried out, or refused, or broke, since it would do so again."""

    def __init__(self, used: UsedCommands, event: InboundEvent | None) -> None:
        self._used = used
        self._event = event

    @classmethod
    async def of(cls, used: UsedCommands, kept: StoredUse | None) -> "Use":
        """Store what was used; None is nothing to be stored."""
        if kept is None:
            return cls(used, None)
        event = await used.keep(place=kept.place, used_id=kept.used_id, words=kept.words, payload={"body": kept.body})
        return cls(used, event)

    def ended_by(self, act: Act) -> Act:
        """Return work with which it is over."""

        async def run() -> None:
            try:
                await act()
            except Exception:
                await self._over()
                raise
            await self._over()

        return run

    def refused_by(self, refuse: Refuse) -> Refuse:
        """Return what refuses it, with which it is over too."""

        async def refuse_for_good(sentence: str) -> None:
            await refuse(sentence)
            await self._over()

        return refuse_for_good

    async def _over(self) -> None:
        if self._event is not None:
            await self._used.done(self._event)
