"""The database, by SQLModel on SQLite or PostgreSQL: tables, migrations, one class for each port that is stored.

Start at `database.py` (units of work) and `tables.py`. Rows never leave this folder.
"""
