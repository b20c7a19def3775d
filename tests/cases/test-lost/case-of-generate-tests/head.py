from shop.core import parse


def pytest_generate_tests(metafunc):
    metafunc.parametrize("text", ["1"])

def test_parse(text):
    assert parse(text) > 0
