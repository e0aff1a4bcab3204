"""Slack, by Socket Mode or HTTP: events and slash commands become messages and commands, core's replies become posts.

Start at `client.py`; `render.py` produces Slack's mark-up. Nothing here decides what is answered.
"""
