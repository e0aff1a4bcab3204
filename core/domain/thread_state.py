"""All that is known of a thread before its next message: what it is about, where it stands, what it listens to."""

from dataclasses import dataclass

from core.domain.conversation import Conversation
from core.domain.reading import Listen, Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadState:
    """A thread's conversation about what its club reads, where thread, reading and members stand, and what it hears."""

    conversation: Conversation
    standing: Standing
    listen: Listen
