"""Questions that members put to one another about their reading: who has finished a chapter, what they all think.

Chapter and page stand in them as in a question about the story, and nobody but the readers can answer.
"""

import re
from typing import Final

from core.domain.patterns import late_pattern

_LEADS_IN = r"^\W*(?:[\w'’]+\W+){0,3}?"
_ENDS = (
    r"(?:\W+(?:yet|already|by\s+now|so\s+far|too|also|now|then|again|in\s+time|of\s+you|guys|everyone|everybody"
    r"|(?:for|by|before)\s+(?:today|tonight|tomorrow|next\s+\w+|this\s+\w+|the\s+\w+|\w+day)|(?:last|this)\s+\w+|today"
    r"|or\s+(?:not|no|what)|please|btw|actually|properly|fully|all))*\W*$"
)
_ALL = (
    r"(?:(?:every|any|some)(?:body|one)(?:\s+else)?(?:\s+here)?|(?:all|any|both|some|most|the\s+rest|how\s+many)\s+of\s+"
    r"(?:you|us)(?:\s+(?:all|guys|lot))?|(?:you|we)\s+(?:all|both|guys|lot|two|three|folks)|y['’]?all|folks|people\s+here)"
)
_READERS = rf"(?:{_ALL}|you)"
_AUX = r"(?:did|do|does|have|has|had|are|is|was|were|will|can)(?:n['’]?t)?"
_ADVERB = r"(?:\s+(?:already|actually|even|really|also|just|now|all|both|finally|properly|manage\w*\s+to))*"
_WENT = (
    r"(?:(?:re-?)?read(?:ing)?|finish(?:ed)?|start(?:ed)?|beg[aiu]n|skip(?:ped)?|done(?:\s+with)?|through(?:\s+with)?|past"
    r"|beyond|caught\s+up(?:\s+(?:to|with|on))?|(?:get|got|gotten|make\s+it|made\s+it)\s+(?:to|through|past|as\s+far\s+as)"
    r"|reach(?:ed)?|up\s+to)"
)
_LIKED = r"(?:like[d]?|love[d]?|enjoy(?:ed)?|hate[d]?|find|found)"
_THOUGHT = r"(?:think|thought|feel|felt|reckon|make|made|say)"
_NUMBER = r"(?:\d{1,4}|[ivxl]{1,7}|[a-z]+(?:-[a-z]+)?)"
_THE = r"(?:(?:the|this|that|our|your|next|last|whole|entire|same|week['’]?s)\s+)*"
_OF_IT = rf"{_THE}(?:(?:very\s+)?(?:end|start|beginning|middle|first\s+half|last\s+page)\s+of\s+)?{_THE}"
_A_PART = rf"{_OF_IT}(?:chapters?|ch\.?|pages?|pp?\.?|sections?|parts?)\s*{_NUMBER}?"
_OF_THE_BOOK = rf"(?:{_A_PART}|{_OF_IT}(?:book|novel|story|reading))"
_ASKS: Final = late_pattern(
    rf"{_LEADS_IN}(?:"
    rf"{_AUX}\s+{_READERS}{_ADVERB}\s+{_WENT}\s+{_OF_THE_BOOK}"
    rf"|{_AUX}\s+{_ALL}{_ADVERB}\s+{_LIKED}\s+{_OF_THE_BOOK}"
    rf"|(?:who|which\s+of\s+(?:you|us))(?:['’]?s|\s+(?:has|have|is|else|all|of\s+(?:you|us)))*{_ADVERB}\s+{_WENT}\s+{_A_PART}"
    rf"|what\s+(?:do|does|did)\s+{_READERS}{_ADVERB}\s+{_THOUGHT}\s+(?:of|about)\s+{_OF_THE_BOOK}"
    rf"|(?:what|which)\s+(?:page|chapter|ch|part)\s+(?:are|is|did)\s+{_READERS}{_ADVERB}(?:\s+(?:on|at|up\s+to|in|get\s+to|reach))?"
    rf"|how\s+far\s+(?:along\s+|in\s+)?(?:are|is|have|has|did)\s+{_READERS}{_ADVERB}"
    rf"(?:\s+(?:get|got|gotten|come|read|along|in|into\s+{_OF_THE_BOOK}))*"
    rf"|who(?:['’]?s|\s+is)\s+\w+ing\b(?:\s+[\w'’]+){{0,4}}\s+(?:(?:this|next)\s+(?:week|time|month)|tonight|tomorrow|today)"
    rf"){_ENDS}"
    r"|^\W*(?:[\w'’]+\W+){0,2}?(?:who|what|which|why|how|where|when)\b(?:\s+\w+)?\s+do(?:n['’]?t)?\s+(?:we|you\s+(?:all|guys|two|both)|y['’]?all"
    r"|people)\s+(?:all\s+|really\s+)?(?:think|reckon|suspect|believe|suppose|guess|trust)\b",
    re.IGNORECASE,
)


def asks_readers(text: str) -> bool:
    """Whether a line asks members how far they have read, what they think of it, or who does what for the club."""
    return _ASKS.match(text) is not None
