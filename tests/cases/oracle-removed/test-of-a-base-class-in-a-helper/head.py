from tests.helpers import Doubling

from shop.core import double


class TestDouble(Doubling):
    def make(self, number):
        return double(number)
