"""What is said becomes work: kept first (`inbox_writer.py`), decided about and answered in order (`scheduler.py`).

Start at `intake.py`. Whether a message is for the bot is asked of core.
"""
