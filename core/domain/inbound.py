"""Events from platforms, stored before they are acknowledged, so that no message is lost (ADR 13, ADR 23)."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from core.domain.conversation import AskedAs
from core.domain.question import Reply

CRASHED_ALONE: Final = 2
DIED_ALONE: Final = 1
MOST_BLAME: Final = 4
"""A question is given up after the process crashed twice, or was ended four times, while it was the only event."""


class EventState(StrEnum):
    """The progress of an event.

    An `answered` event only has to be posted; a `posted` one is never given out again.
    """

    RECEIVED = "received"
    BEGUN = "begun"
    ANSWERED = "answered"
    POSTED = "posted"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundEvent:
    """A message of a member as a bot heard it; unique by platform, bot, place and message id.

    `payload` is what the adapter needs to take it up again after a crash, as JSON can hold it; `ref` names it for good
    as the record of turns does. `attempts` counts how often work on it began, `blame` how likely it is that processes
    ended by it, `reply` is what is posted to it: an answer or a failure, frozen when it was known. `asked` is what
    was decided about it, where any process may answer it.
    """

    platform: str
    place: str
    message_id: str
    payload: dict[str, object] = field(default_factory=dict)
    ref: str = ""
    state: EventState = EventState.RECEIVED
    attempts: int = 0
    blame: int = 0
    reply: Reply | None = None
    bot: str = ""
    asked: AskedAs | None = None
