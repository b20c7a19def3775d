from shop.core import area

def test_area():
    assert area(width=2, height=3) == 6
