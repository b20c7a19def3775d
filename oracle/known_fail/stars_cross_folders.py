"""
A star also stands for a slash.

turns-red: patterns_match_places
replaces: oraclekeep.patterns.matches
"""


def matches(path, pattern):
    if pattern.endswith("/"):
        return path.startswith(pattern)
    return fnmatch.fnmatchcase(path, pattern) or fnmatch.fnmatchcase(path, "*/" + pattern.removeprefix("**/"))
