"""Chat models: Anthropic, OpenAI and servers with OpenAI's API; their errors and prices.

Start at `anthropic.py`. No prompt is written here.
"""
