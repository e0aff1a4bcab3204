"""Metrics and health over HTTP, without members' texts."""
