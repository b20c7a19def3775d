import pytest
from shop.core import names

@pytest.fixture
def people():
    return names()

def test_first(people):
    assert people[0] == "ada"
