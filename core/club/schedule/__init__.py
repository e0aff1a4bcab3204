"""The reading schedule: sections with dates, parsing what an organiser types, and the commands."""
