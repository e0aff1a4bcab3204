"""Which sentences of a draft a model is asked about before they are posted, and what it may say of one."""

from enum import StrEnum


class Verify(StrEnum):
    """No sentence, those in doubt, or all that are no quotations; a setting of the process."""

    OFF = "off"
    DOUBT = "doubt"
    ALL = "all"


class Verdict(StrEnum):
    """What a verifier says of one sentence of an answer.

    `OPINION`: a view, said as such, that asserts no event. `TALK`: it states nothing about the book. `ABSTAIN`: it says
    that the pages read do not tell. `NOT`: anything else, a doubt included; only this one falls.
    """

    SUPPORTED = "SUPPORTED"
    OPINION = "OPINION"
    TALK = "TALK"
    ABSTAIN = "ABSTAIN"
    NOT = "NOT"
