"""`/recap` and `/discuss`."""
