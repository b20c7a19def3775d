from shop.core import total


from concurrent.futures import ThreadPoolExecutor

def check():
    assert total([1, 2]) == 3

def test_total():
    with ThreadPoolExecutor() as pool:
        pool.submit(check)
