"""How a club reads and listens, forgetting, and servers that removed the bot."""
