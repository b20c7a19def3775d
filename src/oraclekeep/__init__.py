"""
oraclekeep judges what a patch did to the power of a test suite.

The package imports nothing heavy at start; `oraclekeep.cli.main` is the program.
"""

from __future__ import annotations

__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  # a start-up cost few callers need

        try:
            return version("oraclekeep")
        except PackageNotFoundError:
            return "0+unknown"
    raise AttributeError(name)
