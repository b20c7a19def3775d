import pexpect
import pytest
import pytest_check as check
import requests
from approvaltests import verify
from django.test import TestCase
from hamcrest import assert_that, equal_to
from jsonschema import Draft7Validator, validate
from nose.tools import eq_
from other.testing import check_equal
from playwright.sync_api import expect
from testfixtures import compare

from shop.core import find, names, price, total


def test_page(page):
    page.goto("/")
    expect(page.locator("h1")).to_have_text("hi")  # oracle-removed


def test_matcher():
    assert_that(price(1), equal_to(1.2))  # oracle-removed


def test_comparison():
    compare(price(2), expected=2.4)  # oracle-removed


def test_soft():
    check.equal(price(3), 3.6)  # oracle-removed


def test_schema():
    validate(find("ada"), {"type": "object"})  # oracle-removed


def test_approved():
    verify(names())  # oracle-removed


def test_stored(data_regression):
    data_regression.check(total([1]))  # oracle-removed


def test_status(server):
    answer = requests.get(server)
    answer.raise_for_status()  # oracle-removed


def test_lines(pytester):
    result = pytester.runpytest()
    result.stdout.fnmatch_lines(["*1 passed*"])  # oracle-removed


class ShopTest(TestCase):
    def test_text(self):
        self.assertContains(self.client.get("/"), "hi")  # oracle-removed


def test_helper():
    check_equal(price(4), 4.8)  # oracle-removed
    Draft7Validator({"type": "object"}).validate(find("bob"))  # oracle-removed


def test_assumed():
    pytest.assume(price(5) == 6.0)  # oracle-removed


def test_nose():
    eq_(price(6), 7.2)  # oracle-removed


def test_program():
    child = pexpect.spawn("shop")
    child.expect("hi")  # oracle-removed
