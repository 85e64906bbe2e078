"""What happens to the bots of a client, for the programs of their authors."""
