"""Books on the shelf: import, embed, list, remove, and the reading notes about them.

Start with `library.py`.
"""
