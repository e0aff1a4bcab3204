"""What shows from outside how far a turn has come: each is counted when it is seen."""

from typing import Final

BEGUN: Final = "begun"
MODEL_CALLED: Final = "model called"
MODEL_ANSWERED: Final = "model answered"
POSTING: Final = "posting"
POSTED: Final = "posted"
REACTIONS: Final = "reactions"
SIGNS: Final = (BEGUN, MODEL_CALLED, MODEL_ANSWERED, POSTING, POSTED, REACTIONS)
