"""`thusfar embeddings`: download the model for sentence meaning, only when the operator asks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from bot.commands.running import JsonOption, prepared_settings, print_json

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def embeddings() -> None:
    """Manage the model for sentence meaning."""


@app.command()
def get(
    source: Annotated[
        str | None, typer.Option("--from", help="Another address of the same archive, or its file on this machine.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Download MiniLM (80 MB, from Chroma's own address), which finds the right page more often. Nothing is sent.

    It is stored in Chroma's folder, or in THUSFAR_MINILM_FOLDER. From then on it embeds books: `serve` and `chat` do
    so in the background, `thusfar books reindex --wait` at once.

    Example: thusfar embeddings get
    """
    from adapters.retrieval.minilm_download import MODEL_URL, fetch_minilm
    from adapters.retrieval.minilm_embedding import minilm_is_in
    from bot.providers import minilm_folder

    folder = minilm_folder(prepared_settings())
    is_there = minilm_is_in(folder)
    if not is_there:
        with _bar() as on_progress:
            fetch_minilm(folder, source=source or MODEL_URL, on_progress=on_progress)
    if as_json:
        print_json({"folder": str(folder), "fetched": not is_there})
    elif is_there:
        print(f"MiniLM is already in {folder}.")
    else:
        print(f"MiniLM is in {folder}. `thusfar books reindex --wait` embeds your books with it at once.")


@contextmanager
def _bar() -> Iterator[Callable[[int, int | None], None]]:
    from rich.console import Console
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Downloading MiniLM", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
