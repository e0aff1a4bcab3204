"""Write the tables in docs/commands.md and docs/settings.md anew, from the commands and the settings.

python -m benchmarks.docs_tables
"""

import ast
import asyncio
import tempfile
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import Final

from bot.settings import Embeddings, Provider, Settings
from bot.wiring import build
from core.club.commands.values import Command

_ROOT: Final = Path(__file__).resolve().parent.parent
_BEGIN: Final = "<!-- Made by `make tables` -->\n"
_END: Final = "<!-- End -->\n"
_UNSET: Final[tuple[object, ...]] = (None, frozenset())


def written(page: str, table: str) -> str:
    """Return a page with another table between its marks."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n{table}\n{_END}{after}"


async def commands_table() -> str:
    """Return the commands that members type, as Markdown."""
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(thusfar_home=Path(home), THUSFAR_PROVIDER=Provider.NONE, THUSFAR_EMBEDDINGS=Embeddings.NONE)
        application = build(settings)
        try:
            listed = application.clubs().registry().listed()
        finally:
            await application.close()
    rows = [f"| `/{' '.join(filter(None, (one.words, one.usage)))}` | {one.who} | {_about(one)} |" for one in listed]
    return "\n".join(["| command | for | what it does |", "| --- | --- | --- |", *rows, ""])


def settings_table() -> str:
    """Return the settings as Markdown: names, defaults, and what the class says about each."""
    about = _docstrings(Path(_ROOT, "bot", "settings.py"))
    rows = []
    for name, field in Settings.model_fields.items():
        default = "" if field.default in _UNSET else f"`{_shown(field.default)}`"
        rows.append(f"| `{str(field.validation_alias or name).upper()}` | {default} | {about.get(name, '')} |")
    return "\n".join(["| variable | default | what it does |", "| --- | --- | --- |", *rows, ""])


def pages() -> dict[Path, str]:
    """Return the pages with a table of ours, as they should be."""
    tables = {"commands.md": asyncio.run(commands_table()), "settings.md": settings_table()}
    paths = {_ROOT / "docs" / name: table for name, table in tables.items()}
    return {path: written(path.read_text(encoding="utf-8"), table) for path, table in paths.items()}


def _about(command: Command) -> str:
    notes = [
        f"in Discord `/{command.slash}`" if command.slash else "",
        f"in Discord for members `/{command.beside_group}`" if command.beside_group else "",
        f"in Discord behind `/{command.behind}`" if command.behind else "",
    ]
    told = "; ".join(filter(None, notes))
    return f"{command.help} ({told})" if told else command.help


def _shown(value: object) -> str:
    value = value.value if isinstance(value, Enum) else value
    return str(value).lower() if isinstance(value, bool) else str(value)


def _docstrings(path: Path) -> dict[str, str]:
    """Return what stands in a string under each field of the settings."""
    classes = [one for one in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(one, ast.ClassDef)]
    (body,) = [one.body for one in classes if one.name == Settings.__name__]
    return {
        field.target.id: " ".join(below.value.value.split())
        for field, below in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str)
    }


if __name__ == "__main__":
    for path, page in pages().items():
        path.write_text(page, encoding="utf-8")
