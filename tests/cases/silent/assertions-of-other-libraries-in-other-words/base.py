import jsonschema
import pytest_check as check
import requests
from django.test import TestCase
from hamcrest import assert_that, contains_inanyorder, equal_to, has_item, has_length, is_, not_
from playwright.sync_api import expect
from testfixtures import compare

from shop.core import find, names, parse, price, total


def test_page(page):
    page.goto("/")
    expect(page.locator("h1")).to_have_text("hi")


def test_matchers():
    assert_that(price(1), equal_to(1.2))
    assert_that(names(), contains_inanyorder("bob", "ada"))
    assert_that(names(), has_length(2))
    assert_that(names(), has_item("ada"))
    assert_that(names(), is_(["ada", "bob"]))
    assert_that(names(), not_(has_item("x")))


def test_comparison():
    compare(price(2), expected=2.4)


def test_soft():
    check.equal(price(3), 3.6)
    check.is_true(total([3]))


def test_schema():
    jsonschema.validate(find("ada"), {"type": "object"})


def test_stored(data_regression):
    data_regression.check(total([1]))


def test_status(server):
    answer = requests.get(server)
    answer.raise_for_status()
    assert answer.json() == {"a": 1}


def test_status_in_a_helper(server):
    answer = requests.get(f"{server}/b")
    answer.raise_for_status()
    assert answer.json() == {"b": 1}


class ShopTest(TestCase):
    def test_text(self):
        self.assertContains(self.client.get("/"), "hi")
        self.assertRedirects(self.client.get("/a"), "/b")
        self.assertQuerySetEqual(price(5), [1, 2])

    def test_queries(self):
        with self.assertNumQueries(2):
            found = names()
        assert found == ["ada", "bob"]

    def test_message(self):
        with self.assertRaisesMessage(ValueError, "bad text: x"):
            parse("x")
