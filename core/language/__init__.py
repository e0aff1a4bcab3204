"""Text processing: words, sentences, phrases, chunks, and the arrays in which indexes are stored.

Knows nothing of questions or clubs. Start with `words.py` and `sentences.py`.
"""
