"""What members read: every sentence of ours, looked up in the reader's language.

`sentences.py` is the way to it; `members.pot` lists all sentences, to be read in one sitting (`make catalogue`).
No sentence for operators lives here, and no rule about when one is said. Imports nothing of core.
"""
