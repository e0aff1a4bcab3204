"""Choosing the next book: suggestions and polls."""
