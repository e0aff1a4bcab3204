"""What a club does besides asking: one folder for each feature, its model and its commands together.

No platform code. Start with `commands/registry.py`, then the feature you need.
"""
