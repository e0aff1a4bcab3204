"""What core needs from outside: one protocol for each exchangeable dependency.

No logic. Adapters implement these; `tests/contracts` checks each implementation.
"""
