"""What the read pages say without a model: passages, people, chapters, the story so far.

Every function takes the text read so far and nothing else. Start with `passages.py` and `answers.py`.
"""
