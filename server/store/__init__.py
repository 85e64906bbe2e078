"""The store: event logs, lists, leases and client ids in SQLite or Postgres."""
