from shop.core import clock


from freezegun import freeze_time

@freeze_time("2024-02-01")
def test_clock():  # expectation-rewritten
    assert clock() == 12
