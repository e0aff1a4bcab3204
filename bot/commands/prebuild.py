"""`thusfar books prebuild`: build a home with one book, ready to copy: the database and the index."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.book_facts import summary
from bot.commands.running import JsonOption, ScopeOption, prepared_settings, print_json
from core.domain.messages import counted
from core.domain.scopes import LOCAL_SCOPE

if TYPE_CHECKING:
    from bot.settings import Settings
    from core.library.library import ImportedBook


def prebuild(
    path: Annotated[str, typer.Argument(help="A book file; `sample` for the novel that comes with Thusfar.")],
    to: Annotated[Path, typer.Option(help="The folder to create; it must be new or empty.")],
    title: Annotated[str | None, typer.Option(help="The title, if the file's own is wrong.")] = None,
    author: Annotated[str | None, typer.Option(help="The author, if the file's own is wrong.")] = None,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Build a ready-to-use home from your own copy of a book: text, vectors and index. THUSFAR_HOME=FOLDER uses it.

    Its `thusfar.db` contains the whole book. Copied alone to a new home, its index is built at the first question.

    Example: thusfar books prebuild moonstone.txt --to moonstone-home
    """
    target = to.expanduser().resolve()
    imported = _prebuild(prepared_settings(), path, target, scope=scope, title=title, author=author)
    book = imported.book
    if as_json:
        print_json({"home": str(target), **summary(book), "seconds": imported.seconds})
        return
    pages = counted(book.pages, "page")
    print(f"{book.title} ({book.book_id}): {pages} in {target}. Use it: THUSFAR_HOME={target} thusfar chat")


def _prebuild(
    settings: "Settings", name: str, target: Path, *, scope: str, title: str | None, author: str | None
) -> "ImportedBook":
    """Build beside the target and move the result there, so that no partial home is left."""
    import asyncio
    import tempfile

    from core.domain.errors import StorageError

    path, known_title, known_author = _source(settings, name)
    try:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise StorageError(f"{target} already exists; name a new or empty folder.")
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
            home = Path(folder) / "home"
            work = _import(settings, path, home, scope, title or known_title, author or known_author)
            imported = asyncio.run(work)
            if target.exists():
                target.rmdir()
            home.rename(target)
    except OSError as error:
        raise StorageError(f"The folder {target} cannot be created ({error.strerror}).") from error
    return imported


def _source(settings: "Settings", name: str) -> tuple[Path, str | None, str | None]:
    from bot.commands.importing import SAMPLE
    from bot.home import sample_book

    path = Path(name).expanduser()
    if name.casefold() != SAMPLE or path.is_file():
        return path, None, None
    sample = sample_book(settings.sample_folder)
    return sample.path, sample.title, sample.author


async def _import(
    settings: "Settings", path: Path, home: Path, scope: str, title: str | None, author: str | None
) -> "ImportedBook":
    from bot.commands.importing import complete_with_progress, import_with_progress
    from bot.home import sample_book
    from bot.noting import note_sample
    from bot.wiring import build
    from core.domain.book import BookStatus

    application = build(settings.model_copy(update={"thusfar_home": home, "database_url": None}))
    try:
        imported = await import_with_progress(application, path, scope=scope, title=title, author=author)
        if imported.book.status is not BookStatus.COMPLETE:
            await complete_with_progress(application, imported.book)  # says why it cannot be completed
        if path == sample_book(settings.sample_folder).path:
            await note_sample(application.noted().notes, settings.sample_folder, imported)
        return imported
    finally:
        await application.close()
