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


def test_matcher():
    price(1)


def test_comparison():
    price(2)


def test_soft():
    price(3)


def test_schema():
    find("ada")


def test_approved():
    names()


def test_stored(data_regression):
    total([1])


def test_status(server):
    requests.get(server)


def test_lines(pytester):
    pytester.runpytest()


class ShopTest(TestCase):
    def test_text(self):
        self.client.get("/")


def test_helper():
    price(4)
    find("bob")


def test_assumed():
    price(5)


def test_nose():
    price(6)


def test_program():
    pexpect.spawn("shop")
