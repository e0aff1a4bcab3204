"""The command line, one file a command (`thusfar chat`, `serve`, `doctor` ...); `bot/cli.py` lists them."""
