"""Pictures of positions: drawn by a child process, and kept for all who ask for the same one."""
