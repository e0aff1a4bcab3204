"""How passages reach the answer: quoting, one search and one call, or a model that searches itself.

One file each, behind `core.ports.strategies`.
"""
