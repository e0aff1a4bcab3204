"""How long a text is in words, and where it may be cut: also where a script puts no spaces between its words.

Called where pages are laid out, chapters are found and chunks are cut. A unit is a word between spaces; of Chinese and
Japanese two characters, of Thai and its neighbours or of a word that is far longer than words are, six.
"""

import re

_HAN_AND_KANA = (
    "\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
_THAI_TO_KHMER = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"  # with Lao, Tibetan and Burmese
_OPENING = r"“‘«‹（〔［｛〈《「『【〖(\[{"
_OTHER = rf"[^\s{_HAN_AND_KANA}{_THAI_TO_KHMER}]"
_WITHOUT_SPACES = re.compile(rf"[{_HAN_AND_KANA}{_THAI_TO_KHMER}]")
_LONGEST_WORD = 40
# Marks, closing quotes and full stops stay with what they follow. Every repetition is bounded, to stay linear.
_TAIL = rf"[^\w\s{_OPENING}]{{0,12}}"
_UNIT = re.compile(
    rf"[{_OPENING}]{{0,4}}(?:[{_HAN_AND_KANA}]{{1,2}}|[{_THAI_TO_KHMER}]{{1,6}}){_TAIL}"
    rf"|{_OTHER}{{1,{_LONGEST_WORD}}}+(?!{_OTHER})"
    rf"|{_OTHER}{{1,6}}{_TAIL}"
)


def unit_ends(text: str) -> list[int]:
    """Return the offset behind each unit, in order; all that stands between units is white space."""
    return [match.end() for match in _UNIT.finditer(text)]


def unit_count(text: str) -> int:
    """Count the units of a text: its words, where they are words between spaces."""
    words = text.split()
    if max(map(len, words), default=0) <= _LONGEST_WORD and not _WITHOUT_SPACES.search(text):
        return len(words)  # the same, at a fraction of the time
    return len(unit_ends(text))
