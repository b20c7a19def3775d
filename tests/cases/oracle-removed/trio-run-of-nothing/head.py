import asyncio
import anyio
import trio

from shop.core import double, total


def test_total():
    async def check():
        total([1, 2])

    trio.run(check)


def test_double():
    async def answer(number):
        return double(number)

    assert anyio.run(answer, 2) == 4
