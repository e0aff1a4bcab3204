"""Slack, by Socket Mode or HTTP: events and slash commands become messages and commands, and what core says a post.

Start at `client.py`; `render.py` has Slack's mark-up. Nothing here decides what is answered.
"""
