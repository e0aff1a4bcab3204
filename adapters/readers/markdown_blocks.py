"""Splits Markdown into blocks of plain text with heading levels; called by the Markdown reader."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from adapters.readers.marks import mark_of
from adapters.readers.paragraphs import unwrap
from core.domain.errors import BookError, BookErrorCode
from core.language.sentences import fold_space

# Every line costs the parser the same, however short: this limits its time to a few seconds.
_MOST_LINES = 200_000
_LONGEST_INLINE = 10_000
_DEEPEST_NESTING = 100
_LONGEST_UNDERLINED = 120
_MARKUP = re.compile(r"[*_`\[\]<>\\&!]|  \n")
_BULLET = re.compile(r"^([ \t]*)[*+](?=[ \t])", re.MULTILINE)
_EMPTY_LINES = re.compile(r"\n\n+")
_INLINE_TAG = re.compile(
    r"</?(?:em|i|b|strong|span|a|u|s|sup|sub|small|big|font|code|cite|q|abbr|mark|del|ins)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_BLOCK_TAG = re.compile(
    r"</?(?:p|br|div|center|hr|h[1-6]|blockquote|pre|img|table|tbody|thead|tr|td|th|ul|ol|li|section|article|figure"
    r"|figcaption|header|footer|body|html)(?:\s[^<>]*)?/?>|<!--|-->",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[a-z]+://|mailto:|[#/]|\.{1,2}/|[\w/-]{1,200}\.[a-z]{2,5}(?:#|$)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.,;:][\"'”’]?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One paragraph of plain text; `level` is the level of a heading, 0 for text."""

    text: str
    level: int = 0


def blocks_of(text: str, width: int, name: str) -> list[Block]:
    """Return the blocks of a Markdown text without form feeds; `width` comes from `paragraphs.wrap_width`.

    Raises:
        BookError: the text has too many lines.
    """
    if text.count("\n") > _MOST_LINES:
        message = f"{name} has more than {_MOST_LINES} lines, too many for Markdown; save it as .txt."
        raise BookError(BookErrorCode.TOO_LARGE, message)
    env: dict[str, Any] = {}
    tokens = _PARSER.parse(_BULLET.sub(r"\1-", text), env)
    before = [None, *tokens]
    return [block for each in zip(before, tokens, strict=False) for block in _blocks(*each, env, width)]


def _blocks(before: Token | None, token: Token, env: dict[str, Any], width: int) -> Iterator[Block]:
    """Yield the blocks of a token; it is a heading if the token before opens one."""
    if token.type == "inline":
        written = _plain(token.content, env)
        level = _level(before, written) if before is not None and before.type == "heading_open" else 0
        yield from (Block(text=part, level=level) for part in _paragraphs(written, level, width) if part)
    elif token.type == "fence":
        parts = (part.strip("\n") for part in _EMPTY_LINES.split(token.content))
        yield from (Block(text=part) for part in parts if part.strip())


class _Parser(MarkdownIt):
    """CommonMark without the rules that would remove words from prose."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False, "maxNesting": _DEEPEST_NESTING})
        # `1984. It was` is no list, and an indented paragraph is no code; inline mark-up is parsed only where there is
        # any.
        self.disable(["list", "code", "inline"])

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        """Accept only addresses: `[Aside]: Never!` is text, not a link definition."""
        return super().validateLink(url) and _ADDRESS.match(url) is not None


_PARSER = _Parser()
_HARD_BREAK = "\f"  # cannot occur in the text of a page


def _level(heading: Token, written: str) -> int:
    """Return the level of a heading; 0 for text in a quotation, or above a line meant as a scene break."""
    if heading.level or not written.strip():
        return 0
    underlined = heading.markup in {"-", "="}
    if underlined and (
        "\n" in written
        or len(written) > _LONGEST_UNDERLINED
        or (_SENTENCE_END.search(written) and not mark_of(written))
    ):
        return 0
    return int(heading.tag[1:])


def _paragraphs(written: str, level: int, width: int) -> list[str]:
    if level:
        return [fold_space(written)]
    lines = [line for line in written.split("\n") if line.strip()]
    if _HARD_BREAK in written:
        return ["\n".join(line.strip() for line in written.replace(_HARD_BREAK, "\n").split("\n") if line.strip())]
    return unwrap(lines, width) if lines else []


def _plain(content: str, env: dict[str, Any]) -> str:
    if not _MARKUP.search(content) or len(content) > _LONGEST_INLINE:
        return content
    tokens: list[Token] = []
    _PARSER.inline.parse(content, _PARSER, env, tokens)
    text = "".join(_text_of(token) for token in tokens)
    return _BLOCK_TAG.sub(" ", _INLINE_TAG.sub("", text))


def _text_of(token: Token) -> str:
    if token.type == "softbreak":
        return "\n"
    if token.type == "hardbreak":
        return _HARD_BREAK
    return token.content  # an image's alternative text; "" for emphasis marks
