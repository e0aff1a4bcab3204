"""The command line, one file per command (`thusfar chat`, `serve`, `doctor` ...); `bot/cli.py` lists them."""
