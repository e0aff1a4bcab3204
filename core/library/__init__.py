"""Books and their reading notes: import, embed, list and remove.

Start with `library.py`.
"""
