"""Answers from read pages without a model: passages, people, chapters, and the story so far.

Every function takes only the text read so far. Start with `passages.py` and `answers.py`.
"""
