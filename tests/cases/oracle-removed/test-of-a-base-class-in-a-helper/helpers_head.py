class Doubling:
    def test_two(self):
        found = self.make(2)
        assert found > 3
