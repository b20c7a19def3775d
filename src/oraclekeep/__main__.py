"""
`python -m oraclekeep` is the `oraclekeep` program.
"""

from __future__ import annotations

import sys

from oraclekeep.cli import main

if __name__ == "__main__":
    sys.exit(main())
