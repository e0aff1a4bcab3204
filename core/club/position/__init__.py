"""Sets how far a club and its members have read, undoes moves, and tells what a move opens."""
