"""Turns a question into a reply: search, extracts, strategies, tools, drafting, and the record of turns.

Start with `answer_message.py`.
"""
