from contextlib import ExitStack

from shop.core import double


def test_double():
    with ExitStack() as stack:
        stack.push(lambda kind, error, trace: True)
        assert double(2) == 4  # errors-swallowed
