"""All the sizes."""
SIZE = 1  # one
