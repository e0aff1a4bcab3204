"""Finds passages: words (BM25), vectors in Chroma or in SQL, and the models that make vectors.

Start at `lexical_index.py` and `chroma_index.py`. Every search takes a `ReadableSpan` and returns nothing outside it.
"""
