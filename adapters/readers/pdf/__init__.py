"""PDF: turns positioned characters into lines, pages and chapters. Start at `reader.py`."""
