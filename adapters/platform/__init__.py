"""Code shared by Discord and Slack, and partly by the terminal and the browser: intake, commands, buttons, workers.

Start at `conversation.py`. `surface.py` is the port that each platform implements. Nothing here imports a platform's
SDK.
"""
