from concurrent.futures import ThreadPoolExecutor

from shop.core import double


def check(pair):
    assert double(pair[0]) == pair[1]  # oracle-removed


def test_map():
    with ThreadPoolExecutor() as pool:
        list(pool.map(check, [(1, 2), (2, 4)]))


def test_submit():
    with ThreadPoolExecutor() as pool:
        pool.submit(check, (3, 6)).result()
