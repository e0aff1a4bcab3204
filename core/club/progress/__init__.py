"""How far the club has come, looking back on a book, and exports."""
