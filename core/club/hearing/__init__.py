"""What happens to a member's message before it is a question."""
