"""Runs the steps on the connection that is handed over: Alembic loads this by its path."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], target_metadata=None)
context.run_migrations()
