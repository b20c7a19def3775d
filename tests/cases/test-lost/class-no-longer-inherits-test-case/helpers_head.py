class ShopCase:
    def assertEqual(self, first, second):
        assert first == second
