"""Wires the program: settings, the command line, the adapter for each port. Start at `wiring.py` and `cli.py`."""
