"""What a member means: is it for the bot, is it small talk, which kind of question, which page.

Reads the message alone, never the book's unread pages. Start with `listening.py` and `kinds.py`.
"""
