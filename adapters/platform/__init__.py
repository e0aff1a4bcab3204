"""What Discord and Slack share, and partly terminal and browser: intake, commands, buttons, reactions, workers.

Start at `conversation.py`; `surface.py` is the port that a platform fills. No platform's SDK is known here.
"""
