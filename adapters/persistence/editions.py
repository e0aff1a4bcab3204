"""Editions as the JSON that their columns hold."""

from pydantic import BaseModel

from core.domain.edition import Edition, KnownPoint


class _StoredPoint(BaseModel):
    page: int
    offset: int


class _StoredEdition(BaseModel):
    first_page: int | None = None
    last_page: int | None = None
    points: list[_StoredPoint] = []


def edition_as_json(edition: Edition | None) -> dict[str, object] | None:
    """Return what a column holds."""
    if edition is None:
        return None
    points = [_StoredPoint(page=point.page, offset=point.offset) for point in edition.points]
    return _StoredEdition(first_page=edition.first_page, last_page=edition.last_page, points=points).model_dump()


def edition_from_json(stored: dict[str, object] | None) -> Edition | None:
    """Return the edition that a column holds."""
    if stored is None:
        return None
    read = _StoredEdition.model_validate(stored)
    points = tuple(KnownPoint(page=point.page, offset=point.offset) for point in read.points)
    return Edition(first_page=read.first_page, last_page=read.last_page, points=points)
