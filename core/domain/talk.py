"""What is said in a thread, line by line, as far as it tells whether the bot is asked something (spec section 7)."""

from dataclasses import dataclass
from enum import StrEnum


class Asked(StrEnum):
    """How sure it is that a line asks the bot something.

    What is `LIKELY` is answered, what is only `PERHAPS` so is not; but a model that is asked for the answer may say of
    either that nobody asked. `THANKS` are for the bot, and need no answer.
    """

    NO = "no"
    THANKS = "thanks"
    PERHAPS = "perhaps"
    LIKELY = "likely"
    YES = "yes"

    @property
    def is_doubtful(self) -> bool:
        """Whether somebody who understands it may find that nobody asked."""
        return self in {Asked.PERHAPS, Asked.LIKELY}


class RepliesTo(StrEnum):
    """Whom a line answers by its form, where the platform has replies."""

    NOBODY = "nobody"
    BOT = "bot"
    MEMBER = "member"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a thread. `author` is a name, the same for all of theirs; empty where nobody knows it.

    `text` holds no mention of the bot; `mentions_member`: somebody else is mentioned anywhere in it.
    """

    text: str
    author: str = ""
    is_bot: bool = False
    mentions_bot: bool = False
    mentions_member: bool = False
    replies_to: RepliesTo = RepliesTo.NOBODY
