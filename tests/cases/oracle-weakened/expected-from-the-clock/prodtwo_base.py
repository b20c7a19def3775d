import datetime as dt


def today():
    return dt.date.today()
