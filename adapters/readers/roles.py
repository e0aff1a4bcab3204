"""Tells what a section outside the story is: by its title, by the book's own marks, or by its words."""

import re
from collections.abc import Sequence, Set
from typing import Final

from core.domain.book import PartRole
from core.language.sentences import fold_space

_NEVER_CHAPTERS = re.compile(
    r"(?:front |back |book )?cover(?: page| image)?|(?:half[- ]?)?title[- ]?page|half[- ]?title|frontispiece"
    r"|copyright(?: page| notice)?|copyright,? (?:©|\(c\)|\d{4}).{0,200}|uncopyright|legal notice|imprint|colophon"
    r"|(?:table of |list of )?contents|contents page|illustrations|index|landmarks|back ?matter|front ?matter"
    r"|(?:a )?list of (?:the )?(?:illustrations|plates|figures|maps|tables)|dedication|newsletter"
    r"|(?:the )?(?:full )?project gutenberg(?:™|-tm)? (?:licen[sc]e|e-?(?:book|text) of .{1,200})"
    r"|(?:also|books|other books) by .{0,80}"
    r"|by the same author|about the (?:author|publisher)|praise for .{0,80}",
    re.IGNORECASE,
)
_NOTES = re.compile(
    r"(?:the )?(?:end[- ]?|foot[- ]?|(?:descriptive|explanatory|textual|critical|editorial|(?:author|editor|translator)"
    r"[’']?s[’']?) )?notes(?: (?:to|on|for) .{0,80}| and references)?|anmerkungen|fußnoten|notas",
    re.IGNORECASE,
)
_EXCERPT = re.compile(
    r"(?:the )?(?:(?:exclusive|special|free|bonus|extended|short) )*"
    r"(?:(?:excerpts?|extracts?|(?:sneak )?preview|sneak[- ]?peek|teaser|sample chapters?|first look)"
    r"(?: (?:from|of|at|to|for) (?!.*\b(?:diary|journal|letters?|log|notebooks?|papers)\b).*| ?[:—–-].*|$)"
    r"|bonus (?:chapters?|content|material|scenes?|stor(?:y|ies))\b)"
    r"|(?:read on|keep reading|continue reading|start reading|turn the page)\b|coming (?:soon|next)\b|leseprobe"
    r"|don[’']t miss\b|next in the series|if you (?:enjoyed|liked|loved)\b"
    r"|(?:the )?(?:first|opening) (?:chapters?|pages?) (?:of|from) ",
    re.IGNORECASE,
)
_WRITER: Final = r"(?:(?:author|translator|editor|transcriber|publisher)[’']?s[’']? )"
_PEOPLE: Final = r"(?:characters|persons|people|players|person(?:æ|ae)|personages)"
_OUTSIDE = re.compile(
    rf"{_WRITER}?(?:(?:the|general|critical|biographical|historical|new|original) )*"
    r"(?:preface|introduction|foreword|introductory|acknowledge?ments?|dedicat\w+|epigraphs?|notes?|afterword)\b"
    r"|(?:general |original )?(?:transcriber|translator|editor)|(?:end ?|foot|descriptive |explanatory )notes\b"
    r"|appendi|bibliograph|glossary|about (?:the|this) (?:author|book|edition|translator|series|type)"
    r"|(?:the )?(?:full )?project gutenberg|suggestions to|(?:further |suggested )?reading(?: list|$)|pronouncing"
    r"|(?:discussion )?questions (?:for|about|and|to)\b|(?:topics for )?discussion(?: guide| questions|$)"
    r"|(?:reading|reader[’']?s) (?:group|guide)|book club\b|for discussion|chronology\b"
    r"|(?:conversation|interview) with\b"
    r"|(?:word|remarks?) (?:on|about|to|from) the (?:text|translation|edition|author|editor|reader)"
    rf"|(?:the )?(?:dramatis {_PEOPLE}|(?:list|cast|table) of (?:the )?(?:\w+ )?{_PEOPLE}|cast$"
    rf"|(?:(?:main|principal|chief) )?{_PEOPLE}(?:$| (?:in|of) (?:the|this) (?:story|book|novel|play)| represented))"
    r"|(?:the )?(?:\w+ )?family trees?$|genealog(?:y|ies|ical tables?)$|maps?$|who(?:[’']?s| is) who\b"
    r"|(?:with )?(?:thanks|gratitude)$|.* (?:press|publish(?:ers|ing))$|sources(?: and further reading)?$"
    r"|(?:letter )?to (?:the|my) readers?$"
    r"|(?:critical|biographical|bibliographical|prefatory|literary) (?:essay|sketch|memoir|study|note)\b"
    r"|essay on\b|essays?$|on (?:re-?)?reading |errata|(?:photo )?credits$"
    r"|permissions|advertisements?$|(?:vor|nach|gruß)wort|einleitung|danksagung|impressum|pr[ée]face|avant-propos"
    r"|postface|remerciements|introducci[óo]n|prefacio|agradecimientos|inhalt(?:sverzeichnis)?$|widmung$"
    r"|zu diesem buch$|über (?:den autor|die autorin|das buch)\b|d[ée]dicace|avertissement\b|table des mati[èe]res"
    r"|du même auteur|à propos de l[’']aut|dedicatoria|[íi]ndice$|sobre (?:el autor|la autora|este libro)\b"
    r"|(?:nota|pr[óo]logo) (?:del|della|de la) (?:auto|edit|tradu|curat)|dedica$|premessa$|prefazione|introduzione"
    r"|postfazione|ringraziamenti|(?:sull|l)[’']autor",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^an? ", re.IGNORECASE)
_EPILOGUE = re.compile(
    r"[eé]p[ií]log|conclusion|coda\b|envoi|finale|postscript|(?:the )?(?:end|last)\b|after|later\b|since\b|years\b",
    re.IGNORECASE,
)
_STORY_TYPES: Final = frozenset({"prologue", "epilogue"})
_CHAPTER_TYPES: Final = frozenset({"chapter", "part", "volume", "bodymatter"})
_NOTE_TYPES: Final = frozenset({"endnotes", "footnotes", "rearnotes", "notes"})
_OUTSIDE_TYPES: Final = (
    "foreword", "introduction", "preface", "preamble", "afterword", "appendix", "acknowledgments", "acknowledgements",
    "dedication", "epigraph", "titlepage", "title-page", "halftitlepage", "copyright-page", "cover", "toc", "loi",
    "seriespage", "imprint", "imprimatur", "contributors", "credits", "other-credits", "errata", "colophon",
    "bibliography", "glossary", "index", "z3998:dramatis-personae", "frontmatter", "backmatter",
)  # fmt: skip
TYPES: Final = frozenset({*_STORY_TYPES, *_CHAPTER_TYPES, *_NOTE_TYPES, *_OUTSIDE_TYPES})
_ABOUT_BOOKS = re.compile(
    r"\b(novel|novelist|reader|narrator|narrative|fiction|prose|literary|literature|critic|criticism|edition|published"
    r"|author|protagonist|plot|irony|chapter|book|writer|writing|poet|decade|century|tradition|genre|character|manuscript"
    r"|publisher|editor|agent|draft|born|died|thank)s?\b",
    re.IGNORECASE,
)
_OPENING_WORDS: Final = 250
_FEWEST_KINDS: Final = 3


def is_never_chapter(title: str) -> bool:
    """Whether a section with this title (a cover, a list, a licence) is never a chapter."""
    return bool(_NEVER_CHAPTERS.fullmatch(_bare(title)))


def titled_role(title: str) -> PartRole | None:
    """Return what a section with this title is at either end of a book: notes, an excerpt, or front or back matter.

    Which of the two its place tells, so that either is `PartRole.BACK` here; None for what may be a chapter.
    """
    bare = _ARTICLE.sub("", _bare(title))
    if _EXCERPT.match(bare):
        return PartRole.EXCERPT
    if is_notes(title):
        return PartRole.NOTES
    is_outside = _OUTSIDE.match(bare) or is_never_chapter(title)
    return PartRole.BACK if is_outside else None


def is_notes(title: str) -> bool:
    """Whether a section with this title holds notes, wherever it stands."""
    return bool(_NOTES.fullmatch(_bare(title)))


def typed_role(types: Set[str]) -> tuple[PartRole, str] | None:
    """Return what the book's own marks (https://www.w3.org/TR/epub-ssv-11/) say a section is, and the telling one."""
    if notes := types & _NOTE_TYPES:
        return PartRole.NOTES, min(notes)
    if story := types & _STORY_TYPES:
        return PartRole.STORY, min(story)
    outside = next((one for one in _OUTSIDE_TYPES if one in types), None)
    if outside:
        return PartRole.BACK, outside
    return (PartRole.STORY, min(types & _CHAPTER_TYPES)) if types & _CHAPTER_TYPES - {"bodymatter"} else None


def may_end_story(title: str) -> bool:
    """Whether a last section with this title can belong to the story although it has no number."""
    return bool(_EPILOGUE.search(title))


def is_about_books(paragraphs: Sequence[str], title: str, author: str, *, numbered: bool) -> bool:
    """Whether a text without a number begins like an essay about a book or its author, in a book with numbers."""
    opening = " ".join(" ".join(paragraphs).split()[:_OPENING_WORDS]).casefold()
    kinds = {*_ABOUT_BOOKS.findall(opening)}
    names = (bool(title) and title.casefold() in opening) + 2 * (bool(author) and author.casefold() in opening)
    return len(kinds) + names >= (_FEWEST_KINDS if numbered else _FEWEST_KINDS + 1)


def _bare(title: str) -> str:
    return fold_space(title).strip(" .:*—-_[]")
