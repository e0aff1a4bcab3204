"""Questions that members save for later: saved, brought back to the member alone, then asked or dropped.

They are never compared with unread pages. A question comes back only because its member has read further.
"""

from collections.abc import Callable
from typing import Final

from core.catalogue.sentences import say
from core.club.commands.values import Choice
from core.domain.club_state import ClubState
from core.domain.later import LaterQuestion

ASK_NOW: Final = ".later-ask"
KEEP_ON: Final = ".later-keep"
DROP: Final = ".later-drop"


def kept_by(club: ClubState, text: str) -> LaterQuestion:
    """Return a question to save, at the member's current page."""
    position = club.reached or 0
    return LaterQuestion(
        reading_id=club.reading_id, member_id=club.member_id, text=text, asked_page=position, told_page=position
    )


def told_of(question: LaterQuestion, name: Callable[[int], str]) -> str:
    """Return the line with the saved question and the printed page at which it was asked."""
    if not question.asked_page:
        return say("You asked before the first page: “{question}”", question=question.text)
    return say("You asked on p. {page}: “{question}”", page=name(question.asked_page), question=question.text)


def choices_of(question: LaterQuestion) -> tuple[Choice, ...]:
    """Return the buttons of a saved question."""
    words = ((ASK_NOW, say("Ask now")), (KEEP_ON, say("Keep")), (DROP, say("Drop")))
    return tuple(Choice(label=label, command=command, text=str(question.later_id)) for command, label in words)
