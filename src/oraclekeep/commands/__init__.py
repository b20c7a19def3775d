"""
Thin Invoke tasks by topic; each module exposes `TASKS`.
"""
