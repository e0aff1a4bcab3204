"""What a platform told us, kept before it is acknowledged, so that nothing that was said is lost (spec section 11)."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundEvent:
    """A message of a member as it came in; unique by platform, place and message id.

    `payload` is what the adapter needs to take it up again after a crash, as JSON can hold it.
    """

    platform: str
    place: str
    message_id: str
    payload: dict[str, object] = field(default_factory=dict)
