from django.test import TestCase
from hamcrest import assert_that, equal_to
from playwright.sync_api import expect
from testfixtures import compare

from shop.core import price


def test_page(page):
    page.goto("/")
    expect(page.locator("h1")).to_have_text("hi")


def test_matcher():
    assert_that(price(1), equal_to(1.2))


def test_comparison():
    compare(price(2), expected=2.4)


class ShopTest(TestCase):
    def test_text(self):
        self.assertContains(self.client.get("/"), "hi")

    def test_queries(self):
        with self.assertNumQueries(3):
            price(3)
