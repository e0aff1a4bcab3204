"""What every command shares: its request and response, the registry, and opening the book where a member is."""
