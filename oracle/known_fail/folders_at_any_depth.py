"""
A folder's pattern owns every folder of that name.

turns-red: patterns_match_places
replaces: oraclekeep.patterns.matches
"""


def matches(path, pattern):
    if pattern.endswith("/"):
        return f"/{pattern}" in f"/{path}"
    return fnmatch.fnmatchcase(path, pattern.removeprefix("**/")) or fnmatch.fnmatchcase(path, pattern)
