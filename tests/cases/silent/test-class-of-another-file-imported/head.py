from tests.helpers import TotalChecks

class TestTotal(TotalChecks):
    pass
