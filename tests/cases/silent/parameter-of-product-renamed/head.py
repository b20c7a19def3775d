from shop.core import area

def test_area():
    assert area(wide=2, high=3) == 6
