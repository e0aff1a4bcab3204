"""The browser page of `thusfar web`: a reader's talk beside the read pages of the book. Start at `room.py`."""
