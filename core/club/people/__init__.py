"""`/who` and `/cast`."""
