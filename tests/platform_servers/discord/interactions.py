"""What a person sent to the application besides messages (a command, a press, a form), and how the bot responded."""

import time
from dataclasses import dataclass, field
from enum import IntEnum

from tests.platform_servers.discord.world import LOADING, Channel, Json, Message, Person
from tests.platform_servers.patience import Patience

TO_RESPOND_S = 3.0
TOKEN_LIFE_S = 15 * 60.0


class InteractionKind(IntEnum):
    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


@dataclass(slots=True, eq=False, kw_only=True)
class Interaction:
    """One interaction; `source` is the message whose component was used.

    `original` is the first message of the response, `followups` are the later ones. `response` is the body of the
    callback. Set `is_too_late` before the bot responds, and `is_expired` when the 15 minutes shall be over.
    """

    id: int
    token: str
    kind: InteractionKind
    data: Json
    user: Person
    channel: Channel
    source: Message | None = None
    began: float = field(default_factory=time.monotonic)
    patience: Patience = field(default_factory=lambda: Patience(TO_RESPOND_S))
    response: Json | None = None
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    is_too_late: bool = False
    is_expired: bool = False

    @property
    def accepts_response(self) -> bool:
        return not self.is_too_late and not self.patience.is_over

    @property
    def accepts_followups(self) -> bool:
        return not self.is_expired and time.monotonic() - self.began <= TOKEN_LIFE_S

    @property
    def messages(self) -> list[Message]:
        """What the response shows, without what is still being thought about or was deleted."""
        shown = [] if self.original is None else [self.original]
        return [one for one in shown + self.followups if not one.flags & LOADING and not one.is_deleted]

    @property
    def texts(self) -> list[str]:
        return [message.content for message in self.messages]

    @property
    def choices(self) -> list[Json] | None:
        """What autocomplete offers; None until it has answered."""
        if self.response is None or self.response["type"] != 8:
            return None
        return list(self.response["data"]["choices"])

    @property
    def choices_or_form(self) -> bool:
        return self.response is not None and self.response["type"] in (8, 9)

    @property
    def modal(self) -> Json | None:
        """The form that was opened."""
        opened = self.response is not None and self.response["type"] == 9
        return self.response["data"] if opened and self.response is not None else None
