"""Private questions, and the buttons under answers."""
