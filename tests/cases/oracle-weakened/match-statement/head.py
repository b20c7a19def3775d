from shop.core import find


def test_find():
    match find("ada"):
        case {"age": age, "gone": True}:
            assert age == 36  # oracle-weakened
