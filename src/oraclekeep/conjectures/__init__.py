"""
What a function's name, signature and neighbours suggest that it keeps: candidates for properties.

All of it is read from syntax trees; nothing of the project's is imported or run here.
"""

from __future__ import annotations
