"""The ladder of bots: who is rated, which games count, what they say, and who meets whom. Pure."""
