"""What gives away, in a member's own post, what lies beyond its thread's page."""

from enum import StrEnum


class Signal(StrEnum):
    """Why it is certain: a quotation, a name that comes later, or a high score of what is said."""

    QUOTE = "quote"
    NAME = "name"
    SCORE = "score"
