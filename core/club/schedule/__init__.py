"""The reading schedule: dated sections, how an organiser types them, and the commands."""
