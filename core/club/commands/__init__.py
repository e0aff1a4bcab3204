"""Shared by all commands: requests and responses, the registry, and opening the book at a member's page."""
