from concurrent.futures import ThreadPoolExecutor

from shop.core import double


def check(number, expected):
    assert double(number) == expected


def test_double():
    with ThreadPoolExecutor() as pool:
        futures = [pool.submit(check, number, expected) for number, expected in [(1, 2), (2, 4)]]
        for future in futures:
            future.result()
