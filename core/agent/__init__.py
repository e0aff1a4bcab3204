"""Conversations with a model: prompts and their rules, the loop of model calls and tool calls, and running tools.

Knows nothing of books; tools and prompts come from the caller. Start with `loop.py`.
"""
