"""What alembic runs: the migrations, on the connection that migrate.py made."""

from alembic import context

from quartermaster.server.store.schema import metadata

# Absent when no migration runs: pytest imports every module to look for examples in it.
config = getattr(context, "config", None)

if config is not None:
    context.configure(connection=config.attributes["connection"], target_metadata=metadata)
    context.run_migrations()  # within the transaction that migrate.py began
