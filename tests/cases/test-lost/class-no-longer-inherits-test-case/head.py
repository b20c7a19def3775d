from shop.core import total


from tests.helpers import ShopCase

class Totals(ShopCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
