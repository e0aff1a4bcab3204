"""Discord: gateway events become messages and commands, core's replies become posts.

Start at `client.py`. `said.py` is a message to answer, `surface.py` posts, `render.py` produces Discord's mark-up.
Nothing here decides what is answered.
"""
