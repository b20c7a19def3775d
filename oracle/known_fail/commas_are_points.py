"""
A comma in a time is read as a decimal point.

turns-red: times_never_decide
replaces: oraclekeep.junit.seconds_of
"""


def seconds_of(text):
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        return None
    return value if 0 <= value < _WEEK else None
