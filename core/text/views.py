"""Whether a sentence is plainly said as somebody's view: a feeling, a guess or a taste of whoever says it."""

import re

_LEADS_IN = r"(?:(?:and|but|so|still|then|honestly|personally)\W+)*"
_SOFTLY = r"(?:['’]d|\s+would|\s+must)?(?:\s+(?:rather|quite|do|really|still|also|just|personally|rather\s+think))*"
_AS_A_VIEW = re.compile(
    rf"^\W*{_LEADS_IN}(?:to\s+my\s+(?:mind|ear|eye|taste)|for\s+(?:me|my\s+part)\b|(?:if\s+i\s+had|were\s+i)\s+to\s+guess"
    r"|my\s+(?:own\s+)?(?:guess|hunch|feeling|impression|bet|favou?rite)\b|in\s+my\s+(?:view|opinion|eyes)"
    rf"|i{_SOFTLY}\s+(?:find|like|love|think|feel|guess|suspect|imagine|wonder|prefer|enjoy|admire|pity)\b"
    r"|what\s+(?:strikes|gets|moves|chills|touches|interests)\s+me\b"
    r"|personally\b|(?:he|she|it|they)\s+(?:looks?|seems?|sounds?)\s+to\s+me\b)",
    re.IGNORECASE,
)
_AT_ITS_END = re.compile(
    r",\s+(?:at\s+least\s+)?to\s+my\s+(?:mind|ear|eye|taste)\W*$|,\s+if\s+you\s+ask\s+me\W*$", re.IGNORECASE
)


def said_as_view(sentence: str) -> bool:
    """Whether a sentence begins or ends by saying that it is a view; "I'm afraid" and "I know" say nothing of it."""
    return _AS_A_VIEW.match(sentence) is not None or _AT_ITS_END.search(sentence) is not None
