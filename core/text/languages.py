"""In which language something is written, as far as its commonest words tell: enough to know a question from a book.

A list of stop-words a language is all that a short question needs; a model of n-grams would weigh megabytes for it.
"""

from collections.abc import Mapping
from typing import Final

from core.text.words import words

_FEWEST: Final = 2
_LEAST_SHARE: Final = 0.25
_COMMON: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(listed.split())
    for language, listed in {
        "en": "the a an and of to in is was were are who what where when why how did do does he she it they his her "
        "that this with for on at by from not but have has had be been which about they we you i",
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


def language_of(text: str) -> str | None:
    """Return the language of a text as its two letters; None where too little tells it from the others."""
    found = words(text)
    hits = {language: sum(word in common for word in found) for language, common in _COMMON.items()}
    first, second = sorted(hits, key=lambda language: -hits[language])[:2]
    is_plain = hits[first] >= max(_FEWEST, _LEAST_SHARE * len(found)) and hits[first] > hits[second]
    return first if is_plain else None
