from django.test import TestCase
from hamcrest import anything, assert_that, contains_exactly, contains_inanyorder, equal_to, has_entries
from testfixtures import LogCapture, compare

from shop.core import find, log_in, names, parse, price


def test_entries():
    assert_that(find("ada"), has_entries({"name": "Ada", "age": 36}))  # oracle-weakened


def test_order():
    assert_that(names(), contains_inanyorder("ada", "bob"))  # oracle-weakened


def test_price():
    assert_that(price(1), anything())  # oracle-weakened


def test_types():
    compare(find("bob"), expected={"name": "Bob"})  # oracle-weakened


def test_records():
    with LogCapture() as log:
        log_in("a")
    log.check_present(("shop", "WARNING", "hello a"))  # oracle-weakened


class ShopTest(TestCase):
    def test_count(self):
        self.assertContains(self.client.get("/"), "hi")  # oracle-weakened

    def test_target(self):
        self.assertRedirects(self.client.get("/a"), "/b", fetch_redirect_response=False)  # oracle-weakened

    def test_order(self):
        self.assertQuerySetEqual(price(2), [1, 2], ordered=False)  # oracle-weakened

    def test_message(self):
        with self.assertRaisesMessage(ValueError, "bad"):  # oracle-weakened
            parse("x")


def test_queries(django_assert_max_num_queries):
    with django_assert_max_num_queries(3):  # oracle-weakened
        price(3)


def test_most_queries(django_assert_max_num_queries):
    with django_assert_max_num_queries(50):  # oracle-weakened
        price(4)
