"""`thusfar eval`: how well search, guard and listening do on labelled files."""
