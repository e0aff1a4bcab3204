"""One talk with a model: prompts and their rules, the loop of model calls and tool calls, and how a tool is run.

Knows no book; tools and prompts come from the caller. Start with `loop.py`.
"""
