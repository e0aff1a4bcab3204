"""Two clubs that read as one."""
