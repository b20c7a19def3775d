from shop.core import total


from tests.helpers import ShopTestCase

class TotalTest(ShopTestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
