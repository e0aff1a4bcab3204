"""What a club does apart from asking: one folder for each feature, its model and its commands together.

No platform code. Start with `commands/registry.py`, then the feature you need.
"""
