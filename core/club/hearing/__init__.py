"""Handles a member's message before it becomes a question."""
