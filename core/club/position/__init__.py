"""How far the club and its members have read: setting, moving back, and what a move opens."""
