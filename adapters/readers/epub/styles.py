"""What a reader of the page would not see, or sees on lines of its own; called while a document's text is gathered."""

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
    """Knows what is hidden, or set apart, by attribute, by style, or by simple rules of a style sheet (`.x`, `p.x`).

    What hides within `@media` or by a longer selector does not count: it may hold on one device only.
    """

    def __init__(self, sheets: Iterable[str] = ()) -> None:
        self._hiding: set[_Rule] = set()
        self._apart: set[_Rule] = set()
        for sheet in sheets:
            self._learn(sheet[:_MOST_CSS])

    def learned(self, root: Tree) -> "Styles":
        """Return what is known when the style elements of a document count too."""
        own = [element.text for element in root.iter() if local_name(element) == "style" and element.text]
        if not own:
            return self
        both = Styles(str(text) for text in own)
        both._hiding |= self._hiding
        both._apart |= self._apart
        return both

    def hides(self, element: Tree) -> bool:
        """Tell whether the element is hidden by itself; what is above it is looked at on the way down."""
        if not element.attrib and not self._hiding:
            return False
        if element.get("hidden") is not None or _INVISIBLE.search(str(element.get("style") or "")):
            return True
        return bool(self._hiding) and not self._hiding.isdisjoint(_names(element))

    def sets_apart(self, element: Tree) -> bool:
        """Tell whether an element that is no block of itself stands on lines of its own; a large initial never does."""
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
            # To break a line where none breaks does little harm; but a name must tell what is meant.
            if _APART.search(body) and not _FLOATS.search(body):
                self._apart.update(rule for rule in _last(selectors) if rule[-1])


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and the declarations of the rules that stand within no other, `@media` for one."""
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
    """Yield the simple rule of each selector that is nothing but one."""
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
    """Yield the simple rules that would hold for an element."""
    names = [("", "")]
    names += [(".", name) for name in str(element.get("class") or "").split()]
    names += [("#", name) for name in [str(element.get("id") or "")] if name]
    for kind, name in names:
        yield "", kind, name
        yield local_name(element), kind, name
