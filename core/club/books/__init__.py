"""Choosing, adding and removing books, and making reading notes."""
