"""
What runs beside the user's code: copied to `.gate/kit/`, standard library only, pytest in the plugin.

Imports inside this folder are relative, so that the copy works under its own name.
"""
