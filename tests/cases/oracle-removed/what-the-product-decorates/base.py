from shop.core import retried


class Flaky:
    def __init__(self):
        self.left = 2

    def go(self):
        if self.left:
            self.left -= 1
            raise OSError("not yet")
        return "done"


@retried
def go(flaky):
    return flaky.go()


@retried
def check(flaky):
    assert flaky.go() == "done"
    assert flaky.left == 0  # oracle-removed


def test_it_is_tried_again():
    flaky = Flaky()
    assert go(flaky) == "done"
    assert flaky.left == 0  # oracle-removed


def test_what_comes_back():
    @retried(times=2)
    def answer():
        return 42

    assert answer() == 42
    assert answer.tries == 1  # oracle-removed


def test_it_checks_within():
    check(Flaky())
