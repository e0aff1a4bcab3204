"""Wires the house: settings, the command line, which class fills which port. Start at `wiring.py` and `cli.py`."""
