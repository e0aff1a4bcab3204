"""Turns incoming messages into work: stores them (`inbox_writer.py`), then answers them in order (`scheduler.py`).

Start at `intake.py`. Core decides whether a message is for the bot.
"""
