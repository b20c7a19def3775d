"""Sizes."""
SIZE = 1
