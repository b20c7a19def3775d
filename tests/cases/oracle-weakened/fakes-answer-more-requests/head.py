import httpx
import pytest
import responses
import respx
from responses import matchers

from shop.core import send


def test_method_and_address(httpx_mock):
    httpx_mock.add_response()  # oracle-weakened
    assert send(httpx.Client(), "http://x/hi") is True


@pytest.mark.httpx_mock(assert_all_responses_were_requested=False)  # oracle-weakened
def test_all_were_asked_for(httpx_mock):
    httpx_mock.add_response(method="POST", url="http://x/ho")
    assert send(httpx.Client(), "http://x/ho") is True


@responses.activate
def test_body():
    responses.post("http://x/he", json={})  # oracle-weakened
    assert send(responses, "http://x/he") is True


@responses.activate  # oracle-weakened
def test_all_are_fired():
    responses.get("http://x/ping", json={})
    assert send(responses, "http://x/hu") is True


@respx.mock
def test_route():
    respx.route().mock(return_value=httpx.Response(200))  # oracle-weakened
    assert send(httpx.Client(), "http://x/ha") is True
