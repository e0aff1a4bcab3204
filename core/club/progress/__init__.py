"""The club's progress, looking back on a finished book, and exports."""
