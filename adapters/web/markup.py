"""Renders Markdown as HTML: no HTML, links or images from the text, but citations as links to read pages."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from core.domain.clean_text import clean

_NAME: Final = r"\[?[0-9a-zA-Z]{1,8}\]?"
_SPAN: Final = rf"{_NAME}(?:\s*[-–—]\s*{_NAME})?"
_NEXT: Final = r"\s*(?:,|;|&|and)\s*(?:pp?\.\s*)?\[?\d{1,5}\]?(?:[-–]\d{1,5})?(?![\w:])"
_CITATION: Final = re.compile(rf"\bpp?\.\s*{_SPAN}(?:{_NEXT})*")
_ONE: Final = re.compile(rf"(?:pp?\.\s*)?({_NAME})(?:\s*[-–—]\s*{_NAME})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Citable:
    """The pages that citations may link to: the read ones, by name."""

    pages: Mapping[str, int]

    def page(self, name: str) -> int | None:
        """Return the number of the named page; None if it doesn't exist or is not read."""
        return self.pages.get(name)


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "breaks": True})
    return made.disable(["image", "link", "autolink", "html_inline", "html_block", "reference", "heading", "lheading"])


def as_html(text: str, citable: Citable) -> Markup:
    """Return Markdown as HTML that is safe to insert into a page."""
    made = _markdown()
    tokens = made.parse(clean(text))
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = [part for child in token.children for part in _linked(child, citable)]
    # The renderer escapes everything; HTML in the text has no effect.
    return Markup(made.renderer.render(tokens, made.options, {}))  # noqa: S704 (see above)


def _linked(token: Token, citable: Citable) -> Iterator[Token]:
    if token.type != "text":
        yield token
        return
    at = 0
    for start, end, page in _links(token.content, citable):
        yield _text(token.content[at:start])
        yield Token("link_open", "a", 1, attrs={"href": f"/?at={page}", "class": "cite", "data-page": str(page)})
        yield _text(token.content[start:end])
        yield Token("link_close", "a", -1)
        at = end
    yield _text(token.content[at:])


def _links(text: str, citable: Citable) -> Iterator[tuple[int, int, int]]:
    """Yield the start, the end and the page of each citation of a read page."""
    for match in _CITATION.finditer(text):
        for one in _ONE.finditer(text, match.start(), match.end()):
            page = citable.page(one[1])
            if page is not None:
                yield one.start(), one.end(), page


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
