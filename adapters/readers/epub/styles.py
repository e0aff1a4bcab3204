"""Finds elements that are hidden or displayed as blocks; called while a document's text is collected."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from adapters.readers.epub.markup import Tree, local_name

_INVISIBLE = re.compile(r"(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.IGNORECASE)
_APART = re.compile(r"(?:^|[;{\s])display\s*:\s*(?:block|flex|grid|list-item|table|table-row)\b(?!-)", re.IGNORECASE)
_FLOATS = re.compile(r"(?:^|[;{\s])(?:float\s*:\s*(?:left|right)|position\s*:\s*absolute)", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BRACE = re.compile(r"([{}])")
_SIMPLE = re.compile(r"(?P<tag>[A-Za-z][\w-]*)?(?:(?P<kind>[.#])(?P<name>[\w-]+))?")
_MOST_CSS: Final = 1_000_000

_Rule = tuple[str, str, str]


class Styles:
    """Knows what is hidden or set apart by attribute, by style, or by simple rules of a style sheet (`.x`, `p.x`).

    Rules within `@media` or with longer selectors don't hide anything: they may apply on one device only.
    """

    def __init__(self, sheets: Iterable[str] = ()) -> None:
        self._hiding: set[_Rule] = set()
        self._apart: set[_Rule] = set()
        for sheet in sheets:
            self._learn(sheet[:_MOST_CSS])

    def learned(self, root: Tree) -> "Styles":
        """Return these styles with those of a document's style elements."""
        own = [element.text for element in root.iter() if local_name(element) == "style" and element.text]
        if not own:
            return self
        both = Styles(str(text) for text in own)
        both._hiding |= self._hiding
        both._apart |= self._apart
        return both

    def hides(self, element: Tree) -> bool:
        """Whether the element itself is hidden; its ancestors are checked on the way down."""
        if not element.attrib and not self._hiding:
            return False
        if element.get("hidden") is not None or _INVISIBLE.search(str(element.get("style") or "")):
            return True
        return bool(self._hiding) and not self._hiding.isdisjoint(_names(element))

    def sets_apart(self, element: Tree) -> bool:
        """Whether an inline element is displayed on its own lines; a large initial never is."""
        if not element.attrib:
            return False
        style = str(element.get("style") or "")
        apart = bool(_APART.search(style)) or (bool(self._apart) and not self._apart.isdisjoint(_names(element)))
        if not apart or _FLOATS.search(style):
            return False
        letters = (letter for part in element.itertext() for letter in str(part) if not letter.isspace())
        return len([*islice(letters, 2)]) > 1

    def _learn(self, sheet: str) -> None:
        for selectors, body in _rules(_COMMENT.sub("", sheet)):
            if _INVISIBLE.search(body):
                self._hiding.update(_whole(selectors))
            # A wrong line break does little harm, but a selector must name what is meant.
            if _APART.search(body) and not _FLOATS.search(body):
                self._apart.update(rule for rule in _last(selectors) if rule[-1])


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and declarations of top-level rules, not of those within `@media` and the like."""
    pieces = _BRACE.split(sheet)
    depth, head = 0, ""
    for text, brace in zip(pieces[::2], pieces[1::2], strict=False):
        if brace == "{":
            head = head if depth else text.rpartition(";")[2].strip()
            depth += 1
        elif depth:
            if depth == 1 and not head.startswith("@"):
                yield head, text
            depth -= 1


def _whole(selectors: str) -> Iterator[_Rule]:
    """Yield the rule of each selector that is a single simple one."""
    return _last(",".join(one for one in selectors.split(",") if len(_parts(one)) == 1))


def _last(selectors: str) -> Iterator[_Rule]:
    """Yield the simple rule at the end of each selector."""
    for parts in filter(None, map(_parts, selectors.split(","))):
        simple = _SIMPLE.fullmatch(parts[-1])
        if simple:
            yield (simple["tag"] or "").lower(), simple["kind"] or "", simple["name"] or ""


def _parts(selector: str) -> list[str]:
    return selector.replace(">", " ").split()


def _names(element: Tree) -> Iterator[_Rule]:
    """Yield the simple rules that would match an element."""
    names = [("", "")]
    names += [(".", name) for name in str(element.get("class") or "").split()]
    names += [("#", name) for name in [str(element.get("id") or "")] if name]
    for kind, name in names:
        yield "", kind, name
        yield local_name(element), kind, name
