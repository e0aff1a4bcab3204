"""`python -m bot` is the same as `thusfar`."""

from bot.cli import main

if __name__ == "__main__":
    main()
