"""`thusfar web`: talk with a book in the browser, on this machine alone."""

from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.running import run
from core.domain.errors import ThusfarError
from core.domain.scopes import LOCAL_SCOPE

if TYPE_CHECKING:
    from bot.wiring import Application


def web(
    book: Annotated[
        str | None,
        typer.Option("--book", help="Id, title, words of a title, or a file to import; without it, the last book."),
    ] = None,
    page: Annotated[int | None, typer.Option("--page", help="The last page that you have read.")] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65_535, help="The port on this machine; 0 for any free one.")
    ] = None,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Talk with a book in the browser. Only this machine can reach the page, and only with the printed link.

    Example: thusfar web --book moonstone.epub --page 40
    """
    run(lambda thusfar: _web(thusfar, book=book, page=page, port=port, opens=open_), stays=True)


async def _web(thusfar: "Application", *, book: str | None, page: int | None, port: int | None, opens: bool) -> None:
    from adapters.web.serving import listening_socket, open_in_browser
    from bot.browsing import local_server, serve_locally

    if thusfar.model is not None:
        model = thusfar.model
        print(f"Answers are written by {model.model} ({model.name}): your questions and read passages go there.")
    try:
        listening = listening_socket(port)
    except OSError:
        raise ThusfarError(f"Port {port} of this machine is taken; --port 0 uses a free one.") from None
    with listening:
        await _open_book(thusfar, book, page=page)
        server = local_server(thusfar, listening)

        def opened() -> None:
            print(
                f"Open {server.link}\nIt works only on this machine, and only with this link. Ctrl-C ends it.",
                flush=True,
            )
            if opens:
                import asyncio

                asyncio.get_running_loop().run_in_executor(None, open_in_browser, server.link)

        await serve_locally(thusfar, server, opened)


async def _open_book(thusfar: "Application", name: str | None, *, page: int | None) -> None:
    """Open a book in the browser: the named one, else the last one, else the sample.

    Raises:
        ThusfarError: there is no such book or page.
    """
    from adapters.web.surface import READER, THREAD
    from bot.commands.importing import SAMPLE, find_or_import

    if name is not None:
        book = await find_or_import(thusfar, name, scope=LOCAL_SCOPE)
    elif (reading := await thusfar.threads.reading(THREAD)) is not None:
        book = await thusfar.library.get(reading.book_id)
    else:
        latest = await thusfar.library.latest(scope=LOCAL_SCOPE)
        book = latest or await find_or_import(thusfar, SAMPLE, scope=LOCAL_SCOPE)
    await thusfar.threads.open(THREAD, book_id=book.book_id)
    if page is not None:
        club = await thusfar.threads.club(THREAD, READER.member_id)
        await thusfar.clubs().positions.move(club, page, member=READER)
