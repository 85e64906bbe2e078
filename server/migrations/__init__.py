"""The history of the tables (Alembic). ``store/sql_migrate`` runs it at start."""
