"""Questions that a member saves until more has been read."""
