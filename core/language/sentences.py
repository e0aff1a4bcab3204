"""Splits text into paragraphs, sentences and clauses, counts its words, and finds where it may be cut.

Used to lay out pages, find chapters, cut chunks, quote and judge. A unit is a word between spaces. In Chinese and
Japanese it is two characters; in Thai and related scripts, and in overlong words, it is six.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from sentencex import get_sentence_boundaries

_LANGUAGE = "en"
_PARAGRAPH_BREAK = re.compile(r"\n\s*\n")
_LEAST_WORDS_OF_CLAUSE: Final = 4
_BETWEEN = re.compile(
    r"(?<=[;:])\s+|\s*[–—]\s*|\s+-{1,2}\s+"
    r"|,\s+(?=(?:and|but|so|yet|while|whereas|because|though|although|since|until|then)\s)",
    re.IGNORECASE,
)
_WINDOW: Final = 8_000
_WINDOW_OF_MARKS: Final = 2_000
_MOST_MARKS: Final = 8
"""Most quotation marks per window: sentencex compares each mark with all others."""
_QUOTATION_MARK = re.compile(r"[\"'“”‘’„‚«»‹›「」『』]")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？][\"”’)\]*_]*$")

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


def paragraphs(text: str) -> list[str]:
    """Split at empty lines; paragraphs without any letter or digit are kept, empty ones are not."""
    return [part.strip() for part in _PARAGRAPH_BREAK.split(text) if part.strip()]


def sentences(text: str) -> list[str]:
    """Split a text into sentences, paragraph by paragraph; white space is folded to single spaces."""
    flat = flat_sentences(text)
    return [flat.text[start:end].strip() for start, end in pairwise(flat.cuts)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatSentences:
    """A text on one line, with the offsets of its sentences (including the end) and of the ends of its paragraphs."""

    text: str
    cuts: tuple[int, ...]
    paragraph_ends: frozenset[int]


def flat_sentences(text: str) -> FlatSentences:
    """Put a text on one line and find its sentences; a paragraph ends a sentence.

    Boundaries: sentencex (https://github.com/wikimedia/sentencex), chosen in ADR 0006.
    """
    parts = [fold_space(paragraph) for paragraph in paragraphs(encodable(text))]
    cuts, paragraph_ends = [0], set()
    begins = 0
    for part in parts:
        cuts += [begins + end for start, end in pairwise([0, *sentence_ends(part)]) if part[start:end].strip()]
        paragraph_ends.add(cuts[-1])
        begins += len(part) + 1
    return FlatSentences(text=" ".join(parts), cuts=tuple(cuts), paragraph_ends=frozenset(paragraph_ends))


def sentence_ends(text: str) -> list[int]:
    """Return the offset after each sentence, including white space; the last one is the text's end.

    A long text is read in windows, so that no call blocks for long. The last sentence of a window is read again in the
    next one.
    """
    ends: list[int] = []
    begin = 0
    while begin < len(text):
        window = text[begin : begin + _WINDOW]
        if len(_QUOTATION_MARK.findall(window)) > len(window) // _MOST_MARKS:
            window = window[:_WINDOW_OF_MARKS]
        found = [begin + each["end_index"] for each in get_sentence_boundaries(_LANGUAGE, window)]
        whole = found[:-1] if begin + len(window) < len(text) else found
        ends += whole or [begin + len(window)]
        begin = ends[-1]
    return ends


def clauses(sentence: str) -> list[str]:
    """Return the clauses of a sentence that could stand alone, so that each can be judged separately.

    They are separated by semicolons, colons, dashes and conjunctions; a short clause stays with the one before it.
    """
    found: list[list[str]] = []
    last = 0
    for part in filter(None, _BETWEEN.split(sentence)):
        own = word_count(part)
        if found and min(last, own) < _LEAST_WORDS_OF_CLAUSE:
            found[-1].append(part)
            last += own
        else:
            found.append([part])
            last = own
    return [" ".join(parts) for parts in found]


def fold_space(text: str) -> str:
    """Return the text on one line, each run of white space a single space."""
    return " ".join(text.split())


def word_count(text: str) -> int:
    """Count words as white space divides them."""
    return len(text.split())


def first_words(text: str, most: int) -> str:
    """Return the first words of a text on one line, and a sign of omission where there are more."""
    found = text.split()
    return " ".join(found[:most]) + (" …" if len(found) > most else "")


def whole_sentences(text: str) -> str:
    """Return the text up to the end of its last complete sentence; all of it if there is none.

    Used for an answer that was cut off. A dummy sentence is appended to see whether a period ends a sentence: it does
    not after `Mr.` or inside brackets.
    """
    text = encodable(text)
    sentences_in = pairwise([0, *sentence_ends(f"{text} Then")[:-1]])
    ends = [end for start, end in sentences_in if _ENDS_SENTENCE.search(text[start:end].rstrip())]
    last = next((end for end in reversed(ends) if text.count("(", 0, end) == text.count(")", 0, end)), len(text))
    return text[:last].rstrip() if last < len(text) else text


def encodable(text: str) -> str:
    """Return the text with a question mark for each lone surrogate, which no database accepts."""
    return text.encode("utf-8", "replace").decode("utf-8")


def unit_ends(text: str) -> list[int]:
    """Return the offset after each unit, in order; between units there is only white space."""
    return [match.end() for match in _UNIT.finditer(text)]


def unit_count(text: str) -> int:
    """Count the units of a text: its words, where they are words between spaces."""
    words = text.split()
    if max(map(len, words), default=0) <= _LONGEST_WORD and not _WITHOUT_SPACES.search(text):
        return len(words)  # the same, at a fraction of the time
    return len(unit_ends(text))
