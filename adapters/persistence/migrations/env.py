"""Alembic's entry point: runs the migrations on the connection that `migrate.upgrade` hands in.

A migration changes what is there already. Tables that are still missing at the newest revision are made as declared;
of a new database these are all.
"""

from alembic import context
from sqlmodel import SQLModel

import adapters.persistence.club_life_tables
import adapters.persistence.partial_indexes
import adapters.persistence.tables  # all of them register tables

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=SQLModel.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
    if context.config.attributes.get("to_newest"):
        SQLModel.metadata.create_all(connection)
if connection.in_transaction():
    connection.commit()
