from tests.helpers import TotalChecks

class TestTotal(TotalChecks):
    items = [1, 2]
