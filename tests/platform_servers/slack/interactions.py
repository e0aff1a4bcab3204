"""Commands, buttons, shortcuts and forms that people used, and what the app showed them for it."""

import time
from dataclasses import dataclass, field
from enum import StrEnum

from tests.platform_servers.patience import Patience
from tests.platform_servers.slack.delivery import Delivery
from tests.platform_servers.slack.world import Channel, Json, Message, Person

RESPONSES = 5
RESPONSE_WITHIN_S = 30 * 60
TRIGGER_LIVES_S = 3.0


class InteractionKind(StrEnum):
    COMMAND = "slash_commands"
    BUTTON = "block_actions"
    SHORTCUT = "message_action"
    SUBMISSION = "view_submission"
    SUGGESTION = "block_suggestion"


@dataclass(slots=True, eq=False, kw_only=True)
class View:
    """A modal or a Home tab as the app gave it; `versions` are its contents, the present one last."""

    id: str
    versions: list[Json]
    owner: Person
    hash: str
    root_id: str = ""
    previous_id: str | None = None
    channel: Channel | None = None
    source: Message | None = None
    is_closed: bool = False

    @property
    def content(self) -> Json:
        """The view as given: type, callback_id, title, blocks, private_metadata ..."""
        return self.versions[-1]

    @property
    def callback_id(self) -> str:
        return str(self.content.get("callback_id", ""))


@dataclass(slots=True, eq=False, kw_only=True)
class Interaction:
    """One use of a command, a button, a shortcut, a form or an external select.

    `messages`: what was shown for it, ephemeral or not, through the acknowledgement or the response_url.
    `view`: what was opened with its trigger. `options` is for selects, `errors` for forms that were not accepted.
    """

    kind: InteractionKind
    user: Person
    channel: Channel | None
    source: Message | None
    delivery: Delivery
    trigger_id: str
    response_url: str
    payload: Json
    view: View | None = None
    opened: list[View] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    options: list[Json] | None = None
    option_groups: list[Json] | None = None
    errors: dict[str, str] = field(default_factory=dict)
    response_action: str | None = None
    responses: int = 0
    trigger_used: bool = False
    expired: bool = False
    is_timed_out: bool = False
    at: float = field(default_factory=time.monotonic)
    patience: Patience = field(default_factory=lambda: Patience(TRIGGER_LIVES_S))

    @property
    def is_acked(self) -> bool:
        return self.delivery.acked is not None

    @property
    def ack_seconds(self) -> float | None:
        return self.delivery.ack_seconds

    @property
    def trigger_is_over(self) -> bool:
        """Whether the three seconds are past in which a view may be opened with it."""
        return self.expired or self.patience.is_over

    @property
    def response_is_over(self) -> bool:
        return self.expired or time.monotonic() - self.at > RESPONSE_WITHIN_S

    @property
    def modal(self) -> View | None:
        """The form that it opened, where it is still open."""
        return next((one for one in reversed(self.opened) if not one.is_closed), None)
