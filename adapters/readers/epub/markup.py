"""Parses XML and XHTML of an EPUB into a tree, however broken; the parser never expands entities.

Called by the EPUB reader. Parser: lxml (https://lxml.de), libxml2 without network, DTDs and entities.
"""

import codecs
import re
from html import unescape
from html.entities import html5
from typing import Final

from lxml import etree

from adapters.readers.files import unreadable
from core.domain.errors import BookError

Tree = etree._Element  # noqa: SLF001 - lxml's own name for the type of an element

_DOCTYPE_BEGINS = re.compile(r"<!DOCTYPE", re.IGNORECASE)
_DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]*(?:\[(?P<subset>.*?)\]\s*)?>", re.IGNORECASE | re.DOTALL)
_DECLARED = re.compile(r"<!ENTITY\s+(?P<parameter>%\s+)?(?P<name>[^\s%\"']+)\s+(?P<value>\"[^\"]*\"|'[^']*'|\S+)")
_NESTED = re.compile(r"&(?!#)|%")
_REFERENCE = re.compile(r"&(?P<name>[A-Za-z_][\w.-]*);")
_XML_ITS_OWN: Final = frozenset({"amp", "lt", "gt", "quot", "apos"})
_LONGEST_VALUE: Final = 100
_ENCODING = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_META_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([A-Za-z0-9._-]{1,40})""", re.IGNORECASE)
_HEAD: Final = 2048
_WINDOWS: Final = "cp1252"
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>", re.DOTALL)
_SELF_CLOSED = re.compile(r"<(?P<tag>[A-Za-z][\w:-]*)(?P<rest>(?:\s[^<>]*?)?)/>")
_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE, b"<\0", b"\0<")
_CONTROLS: Final = bytes(set(range(0x20)) - set(b"\t\n\r\f\x1b"))
_FEW_CONTROLS: Final = 16
_MOST_CONTROLS: Final = 0.05
# Characters that XML forbids: control characters, surrogates, two noncharacters.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


def parsed(data: bytes, name: str) -> Tree | None:
    """Return the root of a document: parsed as XML if well-formed, else as a browser would; None without mark-up.

    Raises:
        BookError: it declares entities that refer to others or to files, as no book does.
        MemoryError: the parser ran out of memory.
    """
    text = _without_doctype(_FORBIDDEN.sub("", _decoded(data)), name)
    if "<" not in text or _is_noise(data):
        return None
    root = _tree(text, _xml_parser())
    # In HTML `<a id="x"/>` opens an element that nothing closes.
    return _tree(_SELF_CLOSED.sub(_opened_and_closed, text), _html_parser()) if root is None else root


def _tree(text: str, parser: etree.XMLParser | etree.HTMLParser) -> Tree | None:
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        root, codes = None, {getattr(error, "code", None)}
    except ValueError:
        return None
    else:
        codes = {entry.type for entry in parser.error_log}
    # A recovering parser treats the end of memory like any other error in the text.
    if etree.ErrorTypes.ERR_NO_MEMORY in codes:
        raise MemoryError
    return root


def _is_noise(data: bytes) -> bool:
    head = data[:_HEAD]
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return controls > max(_FEW_CONTROLS, _MOST_CONTROLS * len(head)) and not head.startswith(_WIDE)


def local_name(element: Tree) -> str:
    """Return a tag without its namespace, in lower case."""
    return str(element.tag).rpartition("}")[2].rpartition(":")[2].lower()


def attribute(element: Tree, wanted: str) -> str:
    """Return an attribute by its name without namespace or prefix; "" if there is none."""
    plain = element.get(wanted)
    if plain is not None:
        return str(plain)
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2].rpartition(":")[2] == wanted:
            return str(value)
    return ""


def text_of(element: Tree) -> str:
    """Return an element's text with single spaces."""
    return " ".join("".join(str(part) for part in element.itertext()).split())


def names_of(element: Tree) -> set[str]:
    """Return what links may call an element."""
    return {attribute(element, "id"), attribute(element, "name")} - {""}


def types_of(element: Tree) -> frozenset[str]:
    """Return an element's purposes: the words of `epub:type`, and those of `role` without `doc-`."""
    if not element.attrib:
        return frozenset()
    namespaced = element.get("{http://www.idpf.org/2007/ops}type") or element.get("epub:type") or ""
    role = element.get("role") or ""
    words = [*str(namespaced).lower().split(), *(one.removeprefix("doc-") for one in str(role).lower().split())]
    return frozenset(words)


def _xml_parser() -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True, huge_tree=True
    )


def _html_parser() -> etree.HTMLParser:
    return etree.HTMLParser(
        no_network=True, remove_comments=True, remove_pis=True, huge_tree=True, encoding="utf-8", recover=True
    )


def _decoded(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    declared = _ENCODING.match(data) or _META_CHARSET.search(data[:_HEAD])
    encoding = declared[1].decode("ascii").lower() if declared else ""
    if not encoding.startswith("iso-2022"):  # the one kind that looks like plain ASCII
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            encoding = _WINDOWS if encoding in {"", "utf-8", "iso-8859-1", "ascii", "us-ascii"} else encoding
    try:
        return data.decode(encoding, errors="replace")
    except (LookupError, UnicodeError):
        return data.decode(_WINDOWS, errors="replace")


def _without_doctype(text: str, name: str) -> str:
    """Replace the entities that a document declares or assumes by their characters."""
    text = _DECLARATION.sub("", text.lstrip("\ufeff"))
    begins = _DOCTYPE_BEGINS.search(text)
    own: dict[str, str] = {}
    if begins:
        doctype = _DOCTYPE.match(text, begins.start())
        own = _declared(doctype["subset"] or "", name) if doctype else {}
        text = text[: begins.start()] + text[doctype.end() if doctype else begins.end() :]
    if "<!ENTITY" in text:  # wherever it is, the parser must not see it
        raise _bomb(name)
    if "&" not in text:
        return text

    def character(reference: re.Match[str]) -> str:
        entity = reference["name"]
        if entity in _XML_ITS_OWN:
            return reference[0]
        found = own.get(entity) or html5.get(f"{entity};") or f"&{entity};"
        return found.replace("&", "&amp;").replace("<", "&lt;")

    return _REFERENCE.sub(character, text)


def _declared(subset: str, name: str) -> dict[str, str]:
    """Return the entities that stand for a few characters."""
    own: dict[str, str] = {}
    for declared in _DECLARED.finditer(subset):
        value = declared["value"]
        if declared["parameter"] or value[0] not in "\"'" or _NESTED.search(value) or len(value) > _LONGEST_VALUE:
            raise _bomb(name)
        own.setdefault(declared["name"], unescape(value[1:-1]))
    return own


def _bomb(name: str) -> BookError:
    return unreadable(f"{name} declares XML entities that grow or fetch files; give an EPUB as a shop made it.")


def _opened_and_closed(element: re.Match[str]) -> str:
    tag = element["tag"]
    return element[0] if tag.lower() in _VOID else f"<{tag}{element['rest']}></{tag}>"
