"""Parses what the page's script sends: one JSON object of limited size."""

import json
from collections.abc import Mapping
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request

from adapters.web.talk import Where
from core.catalogue.sentences import sentence
from core.domain.clean_text import clean

NOT_UNDERSTOOD: Final = sentence("I couldn't understand that request.")
_LARGEST: Final = 100_000


async def given_in(request: Request) -> Mapping[str, object]:
    """Return the JSON object of a request. Raises HTTPException: it is invalid or too large."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _LARGEST:
            raise HTTPException(413, NOT_UNDERSTOOD)
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise HTTPException(400, NOT_UNDERSTOOD)
    return given


def text_in(given: Mapping[str, object], name: str) -> str:
    """Return a required text. Raises HTTPException."""
    text = given.get(name)
    if not isinstance(text, str) or not text.strip():
        raise HTTPException(400, NOT_UNDERSTOOD)
    return clean(text)


def number_in(given: Mapping[str, object], name: str) -> int | None:
    """Return a whole number; None if there is none."""
    number = given.get(name)
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def where_in(given: Mapping[str, object]) -> Where:
    """Return the page of the site on which something was said."""
    return Where.BOOKS if given.get("where") == Where.BOOKS else Where.TALK
