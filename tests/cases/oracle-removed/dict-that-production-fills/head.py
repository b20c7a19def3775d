from shop.core import fill

def test_fill():
    record = {}
    fill(record)
