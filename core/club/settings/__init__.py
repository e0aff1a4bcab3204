"""A club's settings, forgetting, and servers that removed the bot."""
