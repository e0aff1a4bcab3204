"""Discord: what comes over its gateway becomes a message or a command, and what core says becomes a post.

Start at `client.py`; `said.py` is a message to answer, `surface.py` how a post is made, `render.py` Discord's mark-up.
Nothing here decides what is answered.
"""
