"""PDF: letters with places become lines, pages and chapters. Start at `reader.py`."""
