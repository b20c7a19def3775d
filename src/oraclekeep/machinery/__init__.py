"""
What runs the suite, as values: pytest's settings and hooks, CI files, shell scripts and task files.

Readers only: nothing here compares two sides or reports; `rules/` does.
"""
