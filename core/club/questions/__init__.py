"""Private questions, and the buttons under an answer."""
