"""Reads EPUB, PDF, text and Markdown into a `BookText`: pages, chapters, where the story begins and ends.

Start at `choose.py`. Treat every file as hostile.
"""
