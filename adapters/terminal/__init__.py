"""The terminal: one reader talks with the bot line by line. Start at `repl.py`."""
