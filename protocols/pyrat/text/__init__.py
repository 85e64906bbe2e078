"""The text protocol 1.0, lines over stdin and stdout: ``host`` drives a bot, ``bot`` is our own bot's side."""
