"""Quotes and predictions: what members leave for a page, opened when the club gets there."""
