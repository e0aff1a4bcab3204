"""Marks of printed pages within the text of an EPUB; called while the text is gathered.

Marked ones are `epub:type="pagebreak"` and `role="doc-pagebreak"` (https://www.w3.org/TR/epub-ssv-11/#pagebreak); older
books, those of Project Gutenberg above all, have an anchor or a small number of a telling class instead.
"""

import re
from typing import Final

from adapters.readers.epub.markup import Tree, attribute, local_name, types_of

_CLASSES: Final = frozenset(
    {"pageno", "pagenum", "pagenumber", "page-number", "page_number", "pagebreak", "page-break", "pb", "newpage"}
)
_LABEL = re.compile(
    r"[\[({]?\s*(?:pg|page|pagebreak|p|seite|s)?[\s._:-]*(?P<label>\d{1,5}|[ivxlcdm]{1,10})\s*[\])}]?", re.IGNORECASE
)
_LONGEST: Final = 20


def break_label(element: Tree) -> str | None:
    """Return the label of the page that begins at an element, "" where it has none; None where no page begins."""
    if not element.attrib:
        return None
    marked = local_name(element) == "pagebreak" or "pagebreak" in types_of(element)
    if not marked and _CLASSES.isdisjoint(str(element.get("class") or "").lower().split()):
        return None
    text = " ".join("".join(str(part) for part in element.itertext()).split())
    if len(text) > _LONGEST:
        return None  # a paragraph that is meant to stand on a new page, not the mark of one
    said = [*(attribute(element, key).strip(" .,") for key in ("title", "aria-label", "value")), text.strip(" .,")]
    named = (_LABEL.fullmatch(one) for one in (*said, attribute(element, "id"), attribute(element, "name")))
    label = next((match["label"] for match in named if match), None)
    if marked:
        return label or next((one[:_LONGEST] for one in said if one), "")
    return label if not text or _LABEL.fullmatch(text) else None
