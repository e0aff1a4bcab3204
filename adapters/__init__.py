"""Adapters translate between core and the world: platforms, the database, files, models. They decide nothing.

Each folder is a stranger to the others; only `adapters/platform` is shared by Discord and Slack.
"""
