from shop.core import total


from tests.helpers import Checks

class TotalTest(Checks):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
