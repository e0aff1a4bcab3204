"""Values and rules: books, positions, conversations, questions and the fixed messages.

Standard library only; nothing here reads or writes anything. Start with `question.py` and `position.py`.
"""
