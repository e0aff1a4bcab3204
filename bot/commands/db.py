"""`thusfar db`: the database's schema."""

import typer

from bot.commands.running import JsonOption, prepared_settings, print_json

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def db() -> None:
    """Manage the database."""


@app.command("upgrade")
def upgrade_(as_json: JsonOption = False) -> None:
    """Upgrade the database to the newest schema. SQLite in the home does so automatically.

    Example: thusfar db upgrade
    """
    from adapters.persistence.migrate import NEWEST_REVISION, upgrade
    from bot.home import open_database

    database = open_database(prepared_settings())
    try:
        changed = upgrade(database.engine)
    finally:
        database.close()
    if as_json:
        print_json({"revision": NEWEST_REVISION, "changed": changed})
    else:
        print(f"The database is at schema {NEWEST_REVISION}.")
