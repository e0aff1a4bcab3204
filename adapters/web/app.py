"""The routes of the page: what the browser can read, ask, press and move."""

import json
import logging
from collections.abc import AsyncIterator
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from adapters.platform.buttons import button_id
from adapters.web import pages
from adapters.web.bookshelf import Bookshelf
from adapters.web.gate import Gate, Keys
from adapters.web.requests import NOT_UNDERSTOOD, given_in, number_in, text_in, where_in
from adapters.web.room import MoveQuestion, Room
from core.catalogue.sentences import say, sentence
from core.domain.clean_text import clean
from core.domain.errors import ThusfarError
from core.domain.messages import PROMPTS, WENT_WRONG

_log = logging.getLogger(__name__)

_PING_S: Final = 15.0
_AGAIN_MS: Final = 1_000
"""How soon a tab reconnects after its stream broke."""
_LONGEST_BUTTON: Final = 400
_NOTHING_HERE: Final = sentence("There is nothing here.")


class Site:
    """The routes over one room."""

    def __init__(self, room: Room, shelf: Bookshelf) -> None:
        self._room = room
        self._shelf = shelf

    def app(self, keys: Keys, *, port: int) -> ASGIApp:
        """Return the ASGI app: the routes behind the gate."""
        routes = [
            Route("/", self._talk_page),
            Route("/talk", self._talk),
            Route("/events", self._events),
            Route("/read/{page}", self._leaf),
            Route("/say", self._say, methods=["POST"]),
            Route("/press", self._press, methods=["POST"]),
            Route("/page", self._move, methods=["POST"]),
            *self._shelf.routes(),
            Mount("/static", StaticFiles(directory=pages.STATIC)),
        ]
        handlers = {
            HTTPException: _http_error,
            ThusfarError: _refused,
            ClientDisconnect: _client_left,
            Exception: _broken,
        }
        return Gate(Starlette(routes=routes, exception_handlers=handlers), keys=keys, port=port)

    async def _talk_page(self, request: Request) -> Response:
        seen = await self._room.look(afresh=True)
        talk = self._room.talk
        version = talk.version
        at = clean(request.query_params.get("at"))
        read = seen.read if seen is not None else 0
        shown = min(int(at), read) if at.isdecimal() else read
        return HTMLResponse(
            pages.page(
                "talk",
                seen=seen,
                place=pages.place_html(seen) if seen is not None else "",
                leaf=await self._room.leaf(shown),
                talk=await self._room.talk_html(),
                prompts=list(map(say, PROMPTS)),
                spans=pages.spans(seen.chapters) if seen is not None else "",
                epoch=talk.epoch,
                version=version,
                here="talk",
            )
        )

    async def _talk(self, request: Request) -> Response:
        version = self._room.talk.version
        html = await self._room.talk_html()
        return JSONResponse({"version": version, "epoch": self._room.talk.epoch, "html": html})

    async def _leaf(self, request: Request) -> Response:
        page = clean(request.path_params["page"])
        if not page.isdecimal():
            raise HTTPException(404)
        return HTMLResponse(await self._room.leaf(int(page)))

    async def _events(self, request: Request) -> Response:
        await self._room.look()
        return StreamingResponse(self._stream(), media_type="text/event-stream")

    async def _stream(self) -> AsyncIterator[str]:
        yield f"retry: {_AGAIN_MS}\n\n"
        async for event in self._room.talk.events(pause=_PING_S):
            if event is None:
                yield ": still here\n\n"
                continue
            name, data = event
            if name == "hello" and (seen := await self._room.look()) is not None:
                data = {**data, "book": seen.book.book_id, "place": pages.progress_of(seen)}
            yield f"event: {name}\ndata: {json.dumps(data)}\n\n"

    async def _say(self, request: Request) -> Response:
        given = await given_in(request)
        entry = await self._room.say(text_in(given, "text"), where=where_in(given), beside=number_in(given, "beside"))
        return JSONResponse({"id": entry.entry_id}, status_code=202)

    async def _press(self, request: Request) -> Response:
        given = await given_in(request)
        entry = await self._room.press(text_in(given, "button")[:_LONGEST_BUTTON], str(given.get("entry", "")))
        if entry is None:
            raise HTTPException(400, NOT_UNDERSTOOD)
        return JSONResponse({"id": entry.entry_id})

    async def _move(self, request: Request) -> Response:
        given = await given_in(request)
        page = number_in(given, "page")
        match await self._room.move(text_in(given, "to") if page is None else page):
            case MoveQuestion(text=text, choice=choice):
                button = button_id(choice, longest=_LONGEST_BUTTON)
                return JSONResponse({"asks": text, "yes": choice.label, "button": button})
            case str(refusal):
                return JSONResponse({"refusal": refusal})
            case _:
                return JSONResponse({})


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = error.detail if isinstance(error, HTTPException) and status != 404 else _NOTHING_HERE  # noqa: PLR2004
    return _notice(request, say(detail), status)


async def _refused(request: Request, error: Exception) -> Response:
    """Return an error of core as a response; its sentence is safe to show."""
    return _notice(request, str(error), 409)


async def _client_left(_request: Request, _error: Exception) -> Response:
    """Return an empty response: the browser has disconnected."""
    return Response(status_code=499)


async def _broken(request: Request, error: Exception) -> Response:
    _log.error("%s could not be answered.", request.url.path, exc_info=error)
    return _notice(request, say(WENT_WRONG), 500)


def _notice(request: Request, sentence: str, status: int) -> Response:
    """Return a sentence: as a page to a person, as JSON to the page's script."""
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(pages.page("notice", sentence=sentence, here=""), status_code=status)
    return JSONResponse({"refusal": sentence}, status_code=status)
