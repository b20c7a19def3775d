import datetime as dt

from shop.extra import today


def test_today():
    assert today() == dt.date.today()  # oracle-weakened
