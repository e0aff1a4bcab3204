"""What core needs from outside: one protocol for each thing that is exchanged or faked.

No logic. Adapters implement these; `tests/contracts` checks each implementation.
"""
