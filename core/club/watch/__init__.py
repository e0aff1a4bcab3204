"""Telling members, privately, when their own posts give something away."""
