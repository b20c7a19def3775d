from shop.core import clock


from freezegun import freeze_time

@freeze_time("2024-01-01")
def test_clock():
    assert clock() == 12
