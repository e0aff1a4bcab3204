"""The options that several commands share, so that they read the same everywhere."""

from typing import Annotated

import typer

BookOption = Annotated[str, typer.Option("--book", help="Id (b_...), title, or a unique beginning of a title.")]
BookOrPathOption = Annotated[
    str, typer.Option("--book", help="Id (b_...), title, unique beginning of a title, or a file to import first.")
]
ScopeOption = Annotated[str, typer.Option("--for", help="The scope whose books are meant, such as discord:123.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print exactly one JSON value, and nothing else, on stdout.")]
