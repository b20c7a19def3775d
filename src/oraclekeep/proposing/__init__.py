"""
Candidates for properties: thought of or asked for, run and shown, and at an owner's word promoted.
"""

from __future__ import annotations
