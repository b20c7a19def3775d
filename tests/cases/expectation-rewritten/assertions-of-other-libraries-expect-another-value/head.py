from django.test import TestCase
from hamcrest import assert_that, equal_to
from playwright.sync_api import expect
from testfixtures import compare

from shop.core import price


def test_page(page):
    page.goto("/")
    expect(page.locator("h1")).to_have_text("ho")  # expectation-rewritten


def test_matcher():
    assert_that(price(1), equal_to(1.3))  # expectation-rewritten


def test_comparison():
    compare(price(2), expected=2.5)  # expectation-rewritten


class ShopTest(TestCase):
    def test_text(self):
        self.assertContains(self.client.get("/"), "ho")  # expectation-rewritten

    def test_queries(self):
        with self.assertNumQueries(30):  # expectation-rewritten
            price(3)
