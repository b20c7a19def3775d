import httpx
import pytest
import responses
import respx

from shop.core import send

HI = "http://x/hi"


def test_method_and_address(httpx_mock):
    httpx_mock.add_response(url=HI, method="POST", match_headers={"a": "b"})
    assert send(httpx.Client(), HI) is True


def test_one_answer_more(httpx_mock):
    httpx_mock.add_response(method="POST", url="http://x/ho")
    httpx_mock.add_response(method="GET", url="http://x/ha")
    assert send(httpx.Client(), "http://x/ho") is True


@responses.activate(assert_all_requests_are_fired=True)
def test_all_are_fired():
    responses.get("http://x/ping", json={"a": 1})
    assert send(responses, "http://x/hu") is True


@respx.mock
def test_route():
    respx.route(method="POST", url="http://x/ha").mock(return_value=httpx.Response(200))
    assert send(httpx.Client(), "http://x/ha") is True
