from shop.core import total


from threading import Thread

def check():
    assert total([1, 2]) == 3

def test_total():
    thread = Thread(target=check)
    thread.start()
    thread.join()
