"""The history of the tables (Alembic). ``adapters/sql_migrate`` runs it at start."""
