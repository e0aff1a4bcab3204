"""Threads for one section of the schedule."""
