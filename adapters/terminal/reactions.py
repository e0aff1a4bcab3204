"""The reactions that a platform puts on the asker's message, as a line in the terminal."""

from typing import Final

from core.domain.chat_event import ChatEvent, ToolInvocationEvent, ToolResultEvent, TurnAnsweredEvent, TurnFailedEvent

SEARCHING: Final = "🔍"
FOUND: Final = "📖"
FOUND_NOTHING: Final = "🤷"
ANSWERED: Final = "✅"
FAILED: Final = "⚠️"


class Reactions:
    """Prints each event's reaction as it happens."""

    def __init__(self) -> None:
        self._shown = False

    def take(self, event: ChatEvent) -> None:
        """Show the event's reaction, where it has one."""
        reaction = reaction_to(event)
        if reaction is not None:
            print(reaction, end=" ", flush=True)
            self._shown = True

    def end(self) -> None:
        """End the line."""
        if self._shown:
            print()


def reaction_to(event: ChatEvent) -> str | None:
    """Return the emoji for an event; None for those that nobody needs to see."""
    match event:
        case ToolInvocationEvent():
            return SEARCHING
        case ToolResultEvent(result_count=count):
            return FOUND if count else FOUND_NOTHING
        case TurnAnsweredEvent():
            return ANSWERED
        case TurnFailedEvent():
            return FAILED
        case _:
            return None
