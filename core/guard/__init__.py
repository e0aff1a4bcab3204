"""The spoiler guard: scores each sentence of a draft, asks a verifier, and decides what may be posted.

Nothing here writes an answer. Start with `guard.py` (one text) and `review.py` (a whole draft).
"""
