"""Which elements a reader of the page would not see; called while the text of a document is gathered."""

import re
from collections.abc import Iterable
from typing import Final

from adapters.readers.epub.markup import Tree, local_name

_INVISIBLE = re.compile(r"(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_AT_RULE = re.compile(r"@[\w-]+[^{};]*(?:;|\{(?:[^{}]|\{[^{}]*\})*\})")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE = re.compile(r"(?P<tag>[A-Za-z][\w-]*)?(?:(?P<kind>[.#])(?P<name>[\w-]+))?")
_MOST_CSS: Final = 1_000_000


class HiddenElements:
    """Knows what is hidden by attribute, by style, or by the simple rules of a style sheet (`.x`, `#x`, `p.x`).

    Rules within `@media` and with longer selectors do not count: they may hold on one device only.
    """

    def __init__(self, sheets: Iterable[str] = ()) -> None:
        self._rules: set[tuple[str, str, str]] = set()
        for sheet in sheets:
            self._learn(sheet[:_MOST_CSS])

    def learned(self, root: Tree) -> "HiddenElements":
        """Return what is known when the style elements of a document count too."""
        own = [element.text for element in root.iter() if local_name(element) == "style" and element.text]
        if not own:
            return self
        both = HiddenElements(str(text) for text in own)
        both._rules |= self._rules
        return both

    def hides(self, element: Tree) -> bool:
        """Tell whether the element is hidden by itself; what is above it is looked at on the way down."""
        if not element.attrib and not self._rules:
            return False
        if element.get("hidden") is not None or _INVISIBLE.search(str(element.get("style") or "")):
            return True
        return bool(self._rules) and self._is_ruled_out(element)

    def _is_ruled_out(self, element: Tree) -> bool:
        tag = local_name(element)
        names = [("", "")]
        names += [(".", name) for name in str(element.get("class") or "").split()]
        names += [("#", name) for name in [str(element.get("id") or "")] if name]
        return any((any_tag, kind, name) in self._rules for kind, name in names for any_tag in (tag, ""))

    def _learn(self, sheet: str) -> None:
        if not _INVISIBLE.search(sheet):
            return
        for selectors, body in _RULE.findall(_AT_RULE.sub("", _COMMENT.sub("", sheet))):
            if not _INVISIBLE.search(body):
                continue
            for selector in selectors.split(","):
                simple = _SIMPLE.fullmatch(selector.strip())
                if simple and selector.strip():
                    self._rules.add(((simple["tag"] or "").lower(), simple["kind"] or "", simple["name"] or ""))
