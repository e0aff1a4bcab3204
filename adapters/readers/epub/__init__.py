"""EPUB: turns the book's files in reading order into pages and chapters. Start at `reader.py`."""
