"""The database, by SQLModel on SQLite or PostgreSQL: tables, migrations, one class for each stored port.

Start at `database.py` (transactions) and `tables.py`. Row objects never leave this folder.
"""
