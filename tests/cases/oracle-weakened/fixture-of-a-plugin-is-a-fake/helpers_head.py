import pytest


class Fake:
    def total(self):
        return 3


@pytest.fixture
def cart():
    return Fake()
