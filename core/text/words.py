"""Words as the indexes compare them: folded, without function words, cut to their stems."""

import re
import threading
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import Stemmer

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_POSSESSIVE = "'s"
_TEXTS_KEPT = 512
_LONGEST_KEPT = 4_000
_STEMMER_LANGUAGE = "english"
_local = threading.local()

# Function words carry the form of a question, not its matter. Snowball's English list (snowballstem.org, BSD), with
# the parts that contractions leave.
_FUNCTION_WORDS = """
    i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
    it its itself they them their theirs themselves what which who whom whose this that these those am is are was were
    be been being have has had having do does did doing done will would shall should can could may might must ought
    isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't shan't shouldn't can't cannot
    couldn't mustn't let's i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd we'd
    they'd i'll you'll he'll she'll we'll they'll that's who's what's here's there's when's where's why's how's
    a an the and but if or because as until while of at by for with about against between into through during before
    after above below to from up down in out on off over under again further then once here there when where why how
    all any both each few more most other some such no nor not only own same so than too very s t just also please
    tell
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


def words(text: str) -> list[str]:
    """Return the words of a text in order: compatibility-normalised, lower case, plain apostrophes, no possessive."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    found = _WORD.findall(folded)
    return [word.removesuffix(_POSSESSIVE) or word for word in found] if _POSSESSIVE in folded else found


def stems(text: str) -> list[str]:
    """Return the stems of all words of a text in order, function words included as they are."""
    found = words(text)
    return [word if word in FUNCTION_WORDS else stem for word, stem in zip(found, stem_words(found), strict=True)]


def content_words(text: str) -> list[str]:
    """Return the words that carry matter, in order."""
    return [word for word in words(text) if word not in FUNCTION_WORDS and word != "_"]


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words that carry matter; empty for punctuation, operators or function words alone.

    Those of the texts asked for last are kept: scope, search, quoting and citations look at the same message and pages.
    """
    return _kept_stems(text) if len(text) <= _LONGEST_KEPT else _content_stems(text)


def stem_words(found: Iterable[str]) -> list[str]:
    """Return the stem of each word."""
    # A Snowball stemmer may not be shared between threads.
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:
        stemmer = _local.stemmer = Stemmer.Stemmer(_STEMMER_LANGUAGE)
    return list(stemmer.stemWords(list(found)))


def _content_stems(text: str) -> frozenset[str]:
    return frozenset(stem_words(content_words(text)))


_kept_stems = lru_cache(maxsize=_TEXTS_KEPT)(_content_stems)
