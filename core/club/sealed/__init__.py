"""Quotes and predictions that stay sealed until the club reaches their page."""
