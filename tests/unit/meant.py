"""What a message to the bot means, by its text alone."""

from core.domain.conversation import Line
from core.domain.understanding import Understanding
from core.understanding.asked import Asked, asked
from core.understanding.understand import understand


def meaning(text: str) -> Understanding:
    """Return what a mention with this text means."""
    return understand(Line(text=text, mentions_bot=True))


def kind_of(text: str, *, about: str = "") -> Asked | None:
    """Return what kind of answer a mention with this text wants."""
    return asked(meaning(text), text, about=about)
