"""What a question of a kind asks for; which kind it is, `core.understanding.kinds` says."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What is asked for."""

    CAST = "cast"
    WHO = "who"
    NAME = "name"
    FIRST = "first"
    RECAP = "recap"
    CHAPTER = "chapter"
    LAST_CHAPTER = "last chapter"
    THIS_CHAPTER = "this chapter"
    JUST_NOW = "just now"
    STOPPED = "stopped"
    HOW_FAR = "how far"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question of some kind: about whom or what, or about which chapter.

    `called` is what the chapter is called, where that is no chapter: a letter, a scene. `end` is `begins` or `ends`
    where one end of it is asked for.
    """

    kind: Kind
    subject: str = ""
    chapter: int | None = None
    called: str = ""
    end: str = ""
