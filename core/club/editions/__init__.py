"""Copies with other page numbers, and finding a member's page from the words they read last."""
