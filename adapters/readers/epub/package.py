"""The package document of an EPUB: names, reading order, and where contents and page lists are.

Called by the EPUB reader. Formats: EPUB 3.3 package document (https://www.w3.org/TR/epub-33/#sec-package-doc) and OPF
2.0.1 (https://idpf.org/epub/20/spec/OPF_2.0.1_draft.htm).
"""

from collections.abc import Set
from dataclasses import dataclass, field
from typing import Final

from adapters.readers.epub.archive import EpubArchive, resolved
from adapters.readers.epub.markup import Tree, attribute, local_name, parsed, text_of
from adapters.readers.files import unreadable

_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
# Obfuscated fonts do not protect the text: https://www.w3.org/TR/epub-33/#sec-font-obfuscation
_FONT_ALGORITHMS: Final = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})
_DOCUMENTS: Final = frozenset(
    {"application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document", "application/xml"}
)
_DOCUMENT_ENDINGS: Final = (".xhtml", ".html", ".htm", ".xml")
_NCX: Final = "application/x-dtbncx+xml"
_PAGE_MAP: Final = "application/oebps-page-map+xml"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpineItem:
    """One document in reading order; one that is not linear is outside that order."""

    member: str
    linear: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """The package document; every path is the name of an archive member."""

    title: str | None
    author: str | None
    spine: tuple[SpineItem, ...]
    nav: str | None = None
    ncx: str | None = None
    page_map: str | None = None
    styles: tuple[str, ...] = ()
    guide: dict[str, tuple[str, str]] = field(default_factory=dict)


def package_of(archive: EpubArchive, name: str) -> Package:
    """Read the container and the package document.

    Raises:
        BookError: it is no EPUB, its text is encrypted, or it names no documents.
    """
    path = _package_path(archive, name)
    data = archive.read(path)
    root = parsed(data, name) if data else None
    if root is None:
        raise unreadable(f"{name} has no package document that could be read; it is no whole EPUB, fetch it again.")
    manifest = _manifest(root, path)
    by_id = {item.id: item for item in manifest}
    spine_element = _first(root, "spine")
    spine = _spine(root, by_id, archive)
    _refuse_protected(archive, {item.member for item in spine}, name)
    if not spine:
        raise unreadable(f"{name} names no text that could be read; it is no whole EPUB, fetch it again.")
    toc = by_id.get(attribute(spine_element, "toc")) if spine_element is not None else None
    page_map = by_id.get(attribute(spine_element, "page-map")) if spine_element is not None else None
    return Package(
        title=_title(root),
        author=_author(root),
        spine=tuple(spine),
        nav=next((item.member for item in manifest if "nav" in item.properties), None),
        ncx=toc.member if toc else next((item.member for item in manifest if item.type == _NCX), None),
        page_map=page_map.member if page_map else next((i.member for i in manifest if i.type == _PAGE_MAP), None),
        styles=tuple(item.member for item in manifest if item.type == "text/css"),
        guide=_guide(root, path),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    id: str
    member: str
    type: str
    properties: frozenset[str]


def _package_path(archive: EpubArchive, name: str) -> str:
    data = archive.read(_CONTAINER)
    if data is None:
        raise unreadable(f"{name} is a zip archive, but no EPUB; unpack it and give the file of one book.")
    root = parsed(data, name)
    for rootfile in _all(root, "rootfile") if root is not None else []:
        member, _ = resolved("", attribute(rootfile, "full-path"))
        if member and archive.has(member):
            return member
    raise unreadable(f"{name} does not say where its text stands; it is no whole EPUB, fetch it again.")


def _refuse_protected(archive: EpubArchive, documents: Set[str], name: str) -> None:
    data = archive.read(_ENCRYPTION)
    root = parsed(data, name) if data else None
    if root is not None and any(_is_protected_text(one, documents) for one in _all(root, "encrypteddata")):
        raise unreadable(f"{name} is protected against copying (DRM); give a copy without it, as some shops sell them.")


def _is_protected_text(encrypted: Tree, documents: Set[str]) -> bool:
    method = _first(encrypted, "encryptionmethod")
    reference = _first(encrypted, "cipherreference")
    algorithm = attribute(method, "Algorithm") if method is not None else ""
    uri = attribute(reference, "URI") if reference is not None else ""
    is_text = resolved("", uri)[0] in documents or uri.lower().endswith(_DOCUMENT_ENDINGS)
    return is_text and algorithm not in _FONT_ALGORITHMS


def _manifest(root: Tree, path: str) -> list[_Item]:
    manifest = _first(root, "manifest")
    items: list[_Item] = []
    for item in _all(manifest, "item") if manifest is not None else []:
        member, _ = resolved(path, attribute(item, "href"))
        if member:
            properties = frozenset(attribute(item, "properties").split())
            media = attribute(item, "media-type").lower().strip()
            items.append(_Item(id=attribute(item, "id"), member=member, type=media, properties=properties))
    return items


def _spine(root: Tree, by_id: dict[str, _Item], archive: EpubArchive) -> list[SpineItem]:
    items: list[SpineItem] = []
    seen: set[str] = set()
    for reference in _all(root, "itemref"):
        item = by_id.get(attribute(reference, "idref"))
        if item is None or item.member in seen or not archive.has(item.member):
            continue
        if item.type in _DOCUMENTS or item.member.lower().endswith(_DOCUMENT_ENDINGS):
            seen.add(item.member)
            items.append(SpineItem(member=item.member, linear=attribute(reference, "linear").lower() != "no"))
    return items


def _guide(root: Tree, path: str) -> dict[str, tuple[str, str]]:
    guide = _first(root, "guide")
    found: dict[str, tuple[str, str]] = {}
    for reference in _all(guide, "reference") if guide is not None else []:
        found.setdefault(attribute(reference, "type").lower(), resolved(path, attribute(reference, "href")))
    return found


def _title(root: Tree) -> str | None:
    """Return the main title; in EPUB 3 another element says which one that is."""
    titles = _metadata(root, "title")
    main = {key for key, value in _refined(root, "title-type").items() if value == "main"}
    chosen = [title for title in titles if attribute(title, "id") in main] or titles
    return next((text for title in chosen if (text := text_of(title))), None)


def _author(root: Tree) -> str | None:
    """Return the authors, separated by commas; other roles (translator, illustrator) only if there is no author."""
    roles = _refined(root, "role")
    creators = _metadata(root, "creator")
    named = [(text_of(one), attribute(one, "role") or roles.get(attribute(one, "id"), "")) for one in creators]
    authors = [name for name, role in named if name and role in {"", "aut"}]
    return ", ".join(dict.fromkeys(authors or [name for name, _ in named if name])) or None


def _metadata(root: Tree, wanted: str) -> list[Tree]:
    metadata = _first(root, "metadata")
    return _all(metadata, wanted) if metadata is not None else []


def _refined(root: Tree, wanted: str) -> dict[str, str]:
    return {
        attribute(meta, "refines").removeprefix("#"): text_of(meta)
        for meta in _metadata(root, "meta")
        if attribute(meta, "property") == wanted and attribute(meta, "refines")
    }


def _all(root: Tree, wanted: str) -> list[Tree]:
    return [element for element in root.iter() if local_name(element) == wanted]


def _first(root: Tree, wanted: str) -> Tree | None:
    return next((element for element in root.iter() if local_name(element) == wanted), None)
