from django.test import TestCase
from hamcrest import anything, assert_that, contains_exactly, contains_inanyorder, equal_to, has_entries
from testfixtures import LogCapture, compare

from shop.core import find, log_in, names, parse, price


def test_entries():
    assert_that(find("ada"), equal_to({"name": "Ada", "age": 36}))


def test_order():
    assert_that(names(), contains_exactly("ada", "bob"))


def test_price():
    assert_that(price(1), equal_to(1.2))


def test_types():
    compare(find("bob"), expected={"name": "Bob"}, strict=True)


def test_records():
    with LogCapture() as log:
        log_in("a")
    log.check(("shop", "WARNING", "hello a"))


class ShopTest(TestCase):
    def test_count(self):
        self.assertContains(self.client.get("/"), "hi", count=1)

    def test_target(self):
        self.assertRedirects(self.client.get("/a"), "/b")

    def test_order(self):
        self.assertQuerySetEqual(price(2), [1, 2])

    def test_message(self):
        with self.assertRaisesMessage(ValueError, "bad text: x"):
            parse("x")


def test_queries(django_assert_num_queries):
    with django_assert_num_queries(3):
        price(3)


def test_most_queries(django_assert_max_num_queries):
    with django_assert_max_num_queries(3):
        price(4)
