"""Wires the program: settings, the command line, the adapter for each port. Start at `wiring.py` and `cli.py`."""

import os

# Before NumPy is loaded: two threads that wait for each other take up to five times the processor time of one, for
# matrices as small as a message's. `USE(threads=1)` alone has no effect without threadpoolctl.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # noqa: TID251 (a library reads it, not the program)
