"""
A time is any number.

turns-red: times_never_decide
replaces: oraclekeep.junit.seconds_of
"""


def seconds_of(text):
    try:
        return float(text.strip().replace(",", ""))
    except ValueError:
        return None
