import pytest
import requests
from jsonschema import validate
from playwright.sync_api import expect
from pytest_check import check
from pytest_django.asserts import assertContains, assertQuerySetEqual, assertRedirects

from shop.core import find, names, parse, price, total

SCHEMA = {"type": "object"}


def shows(page, text):
    expect(page.locator("h1")).to_have_text(text, timeout=10_000)


def fetched(address):
    answer = requests.get(address)
    answer.raise_for_status()
    return answer.json()


def test_page(page):
    page.goto("/")
    shows(page, "hi")


def test_matchers():
    assert price(1) == 1.2
    assert sorted(names()) == ["ada", "bob"]
    assert len(names()) == 2
    assert "ada" in names()
    assert names() == ["ada", "bob"]
    assert "x" not in names()


def test_comparison():
    assert price(2) == 2.4


def test_soft():
    check.equal(price(3), 3.6)
    with check:
        assert total([3])


def test_schema():
    validate(instance=find("ada"), schema=SCHEMA)


def test_stored(data_regression):
    found = total([1])
    data_regression.check(found)


def test_status(server):
    answer = requests.get(server)
    assert answer.status_code == 200
    assert answer.json() == {"a": 1}


def test_status_in_a_helper(server):
    assert fetched(f"{server}/b") == {"b": 1}


def test_text(client):
    assertContains(client.get("/"), "hi")
    assertRedirects(client.get("/a"), "/b")
    assertQuerySetEqual(price(5), [1, 2])


def test_queries(django_assert_num_queries):
    with django_assert_num_queries(2):
        found = names()
    assert found == ["ada", "bob"]


def test_message():
    with pytest.raises(ValueError, match="bad text: x"):
        parse("x")
