"""Chat models: Anthropic, OpenAI and servers that speak as OpenAI does; their errors, their prices.

Start at `anthropic.py`. No prompt is written here.
"""
