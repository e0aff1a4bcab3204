"""Looks up members: their names, and whether they are organisers."""

import asyncio
import logging
from dataclasses import dataclass
from typing import Any, Final

from cachetools import TLRUCache

from adapters.platform.surface import OutOfReachError, RefusedError
from adapters.slack.calls import SlackCalls
from core.domain.conversation import Author

_log = logging.getLogger(__name__)

PLATFORM: Final = "slack"
_KNOWN_S: Final = 300.0
_UNKNOWN_S: Final = 20.0
_MOST: Final = 2_000
_PATIENT_S: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackUser:
    """A member of the workspace or a guest; nameless and without rights if Slack does not answer."""

    user_id: str
    name: str
    is_admin: bool
    is_known: bool = True

    @property
    def author(self) -> Author:
        """The core author of the user."""
        return Author(member_id=f"{PLATFORM}:{self.user_id}", display_name=self.name)


class People:
    """Requests users from Slack (users.info), and caches them for a few minutes."""

    def __init__(self, calls: SlackCalls, *, team_id: str, organisers: frozenset[str]) -> None:
        self._calls = calls
        self._team_id = team_id
        self._organisers = organisers
        self._known: TLRUCache[str, SlackUser] = TLRUCache(maxsize=_MOST, ttu=_known_until)
        self._asked: dict[str, asyncio.Task[SlackUser]] = {}

    async def get(self, user_id: str) -> SlackUser:
        """Return a user; nameless and without rights if Slack does not answer."""
        known = self._known.get(user_id)
        if known is not None:
            return known
        task = self._asked.get(user_id)
        if task is None:
            task = self._asked[user_id] = asyncio.create_task(self._ask(user_id))
            task.add_done_callback(lambda _: self._asked.pop(user_id, None))
        return await asyncio.shield(task)

    async def is_organiser(self, user_id: str) -> bool:
        """Whether the user is an organiser: an admin of the workspace, or configured by the operator."""
        return user_id in self._organisers or (await self.get(user_id)).is_admin

    async def _ask(self, user_id: str) -> SlackUser:
        try:
            async with asyncio.timeout(_PATIENT_S):
                answer = await self._calls.ask(self._calls.client.users_info, user=user_id)
            person = self._person(user_id, answer.get("user") or {})
        except (OutOfReachError, RefusedError, TimeoutError) as error:
            _log.warning("User %s cannot be looked up: %s", user_id, error)
            person = SlackUser(user_id=user_id, name="somebody", is_admin=False, is_known=False)
        self._known[user_id] = person
        return person

    def _person(self, user_id: str, user: dict[str, Any]) -> SlackUser:
        profile = user.get("profile") or {}
        names = (profile.get("display_name"), profile.get("real_name"), user.get("real_name"), user.get("name"))
        is_ours = user.get("team_id", self._team_id) == self._team_id
        return SlackUser(
            user_id=user_id,
            name=" ".join(str(next((name for name in names if name), "somebody")).split()),
            is_admin=is_ours and bool(user.get("is_admin") or user.get("is_owner") or user.get("is_primary_owner")),
        )


def _known_until(_: str, person: SlackUser, now: float) -> float:
    """Return when a cached user expires: soon, if Slack did not answer."""
    return now + (_KNOWN_S if person.is_known else _UNKNOWN_S)
