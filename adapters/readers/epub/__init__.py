"""EPUB: the files of the book in reading order become pages and chapters. Start at `reader.py`."""
