"""What the authors of bots read: the events of their client, and what is known of how a bot plays."""
