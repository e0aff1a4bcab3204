"""Words as the indexes compare them: folded, without function words, and as stems. Also detects languages."""

import re
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

import Stemmer

from core.domain.folding import folded

WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_POSSESSIVE = "'s"
_TEXTS_KEPT = 512
_LONGEST_KEPT = 4_000
_STEMMER_LANGUAGE = "english"
_local = threading.local()

# Function words do not say what a question is about. Snowball's English list (snowballstem.org, BSD), with the parts
# that contractions leave.
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

_FEWEST: Final = 2
_LEAST_SHARE: Final = 0.25
"""How many stop words of a language, and what share of all words, identify a text's language."""
_COMMON: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(folded(listed).split())
    for language, listed in {
        "en": "the a an and of to in is was were are who what where when why how did do does he she it they his her "
        "that this with for on at by from not but have has had be been which about they we you i as so if or my me us "
        "whats whos wheres whens hows thats im can could would there their them up out all any some again like just",
        "de": "der die das und ist war wer wo wann warum wie hat er sie es ein eine einen einem dem den des mit "
        "von zu nicht auf für im was wird wurde ich wir ihr sich auch als aber hatte haben sind",
        "fr": "le la les un une des et est était qui que quoi où quand pourquoi comment il elle ils elles dans avec "
        "pour sur pas ne ce cette son sa ses du au aux a été ont sont je nous vous mais quel quelle",
        "es": "el la los las un una unos y es era fue quién quien qué que dónde donde cuándo cuando por cómo como "
        "en con para no su sus del al se lo le ha había son yo nosotros pero cuál está",
        "it": "il lo la i gli le un una uno e è era chi che cosa dove quando perché come di in con per non suo sua del "
        "della al alla si ha aveva sono io noi ma quale nel nella",
        "pt": "o a os as um uma e é era foi quem que onde quando porque por como de em com para não seu sua do da no "
        "na ao se ele ela eles tem tinha são eu nós mas qual está",
        "nl": "de het een en is was wie wat waar wanneer waarom hoe hij zij ze van in met voor niet op zijn haar dat "
        "dit die te heeft had ik wij jullie maar welke er bij",
        "sv": "den det en ett och är var vem vad när varför hur han hon de av i med för inte på sin hans hennes som "
        "till har hade jag vi ni men vilken",
    }.items()
}
"""Stop words by language. They suffice for short questions; n-gram models would take megabytes."""
LANGUAGE_NAMES: Final[Mapping[str, str]] = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "nl": "Dutch",
    "sv": "Swedish",
}
"""English names of the languages that `language_of` tells."""


def words(text: str) -> list[str]:
    """Return the words of a text in order, folded and without the possessive."""
    compared = folded(text)
    found = WORD.findall(compared)
    return [word.removesuffix(_POSSESSIVE) for word in found] if _POSSESSIVE in compared else found


def stems(text: str) -> list[str]:
    """Return the stems of all words of a text in order, function words included as they are."""
    found = words(text)
    return [word if word in FUNCTION_WORDS else stem for word, stem in zip(found, stem_words(found), strict=True)]


def content_words(text: str) -> list[str]:
    """Return the content words of a text in order: all words that are not function words."""
    return [word for word in words(text) if word not in FUNCTION_WORDS]


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text; empty if it has none.

    Recent texts are cached, since scope, search, quoting and citations use the same message and pages.
    """
    return _kept_stems(text) if len(text) <= _LONGEST_KEPT else _content_stems(text)


def stem_words(found: Iterable[str]) -> list[str]:
    """Return the stem of each word."""
    # A Snowball stemmer may not be shared between threads.
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:
        stemmer = _local.stemmer = Stemmer.Stemmer(_STEMMER_LANGUAGE)
    return list(stemmer.stemWords(list(found)))


def language_of(text: str) -> str | None:
    """Return the two-letter code of a text's language; None if it is not clear."""
    counts = Counter(words(text))
    hits = {language: sum(counts[word] for word in common & counts.keys()) for language, common in _COMMON.items()}
    first, second = sorted(hits, key=lambda language: -hits[language])[:2]
    is_plain = hits[first] >= max(_FEWEST, _LEAST_SHARE * counts.total()) and hits[first] > hits[second]
    return first if is_plain else None


def _content_stems(text: str) -> frozenset[str]:
    return frozenset(stem_words(dict.fromkeys(content_words(text))))


_kept_stems = lru_cache(maxsize=_TEXTS_KEPT)(_content_stems)
