"""The tools that a model may use, each bound to the book and the current page before the model sees it.

Start with `search_book.py`.
"""
