"""The V3 bot protocol (bot game sessions): messages, their text, and the sessions of all three parties."""
