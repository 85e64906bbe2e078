"""Games: their commands, logs, copies in memory, timers and followers."""
