"""The bus between processes, over Redis or Postgres. ``services.cluster.bus`` is the part within a process."""
