import httpx
import pytest
import responses
import respx

from shop.core import send


def test_method_and_address(httpx_mock):
    httpx_mock.add_response(method="POST", url="http://x/hi")
    assert send(httpx.Client(), "http://x/hi") is True


def test_one_answer_more(httpx_mock):
    httpx_mock.add_response(method="POST", url="http://x/ho")
    assert send(httpx.Client(), "http://x/ho") is True


@responses.activate(assert_all_requests_are_fired=True)
def test_all_are_fired():
    responses.get("http://x/ping", json={})
    assert send(responses, "http://x/hu") is True


@respx.mock
def test_route():
    respx.post("http://x/ha").mock(return_value=httpx.Response(200))
    assert send(httpx.Client(), "http://x/ha") is True
