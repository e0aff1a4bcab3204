"""From a question to a reply: search, extracts, strategies, tools, drafting, the record of turns.

Start with `answer_message.py`.
"""
