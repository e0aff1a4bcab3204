"""Which sentences of a draft a model is asked about before they are posted; a setting of the process."""

from enum import StrEnum


class Verify(StrEnum):
    """No sentence, those in doubt, or all that are no quotations."""

    OFF = "off"
    DOUBT = "doubt"
    ALL = "all"
