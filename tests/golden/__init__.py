"""A scripted club week, and the transcripts of all that people saw of it on each platform.

`week.txt` is the script, `alone.txt` that of one person in the terminal. The transcripts are compared whole, so a
change of a word shows in review. Write them again with `WRITE_GOLDEN=1 python -m pytest tests/golden`, then read the
diff.
"""
