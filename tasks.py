"""
The gate's tasks for `invoke`: the same collection as the `oraclekeep` program.
"""

from __future__ import annotations

from oraclekeep.invoke_tasks import namespace

__all__ = ["namespace"]
