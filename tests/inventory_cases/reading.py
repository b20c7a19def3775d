"""
Functions that read clocks, draw randomness, or reach the network, and some that only seem to.
"""

# ruff: noqa: BLE001, C417, S605, DTZ001, DTZ003, DTZ005, DTZ011, DTZ012, I001, ICN001, PLW0108, PTH123, S311, UP017  # they are meant to be bad
import asyncio
import datetime
import email.utils
import functools
import logging
import os
import pathlib
import queue
import random
import secrets
import socket
import subprocess
import tempfile
import threading
import time
import time as t
import urllib.request
import uuid
from dataclasses import dataclass, field
from datetime import datetime as moment
from os import urandom as dice
from time import monotonic, perf_counter as tick, time as now


# expect: protocol_error | never_raises | live clock: time.time() at src/reading.py:
def reads_time(sample):
    return time.time()


# expect: protocol_error | never_raises | live clock
def reads_a_renamed_module(sample):
    return t.time_ns()


# expect: protocol_error | never_raises | live clock
def reads_a_renamed_function(sample):
    return now()


# expect: protocol_error | never_raises | time.perf_counter()
def measures(sample):
    return tick() - monotonic()


# expect: protocol_error | never_raises | time.localtime()
def reads_local_time(sample):
    return time.strftime("%Y", time.localtime())


# expect: protocol_error | never_raises | time.strftime()
def formats_now(sample):
    return time.strftime("%Y")


# expect: protocol_error | never_raises | datetime.now()
def reads_datetime(sample):
    return datetime.datetime.now()


# expect: protocol_error | never_raises | datetime.now()
def reads_renamed_datetime(sample):
    return moment.now(datetime.timezone.utc)


# expect: protocol_error | never_raises | date.today()
def reads_today(sample):
    return datetime.date.today()


# expect: protocol_error | never_raises | datetime.utcnow()
def reads_utcnow(sample):
    return moment.utcnow()


bound_earlier = moment.now
part = functools.partial(time.time)


# expect: protocol_error | never_raises | datetime.now()
def reads_through_a_bound_method(sample):
    return bound_earlier()


# expect: protocol_error | never_raises | time.time()
def reads_through_a_partial(sample):
    return part()


# expect: protocol_error | never_raises | time.time()
def reads_through_map(sample):
    return list(map(lambda _: time.time(), [1]))


@dataclass
class Stamped:
    at: float = field(default_factory=time.time)
    clock = time.perf_counter  # must not become a method


# expect: protocol_error | never_raises | time.time()
def reads_through_a_default(sample):
    return Stamped()


# expect: protocol_error | never_raises | time.perf_counter()
def reads_through_a_class(sample):
    return Stamped(at=0.0).clock()


# expect: protocol_error | never_raises | live clock
def reads_in_a_thread(sample):
    thread = threading.Thread(target=lambda: time.time())
    thread.start()
    thread.join()


# expect: protocol_error | never_raises | live clock
def hides_the_error(sample):
    try:
        return time.time()
    except BaseException:
        return 0


# expect: pass | never_raises |
def formats_a_given_time(sample):
    return (
        time.strftime("%Y", time.gmtime(0)),
        datetime.datetime(2020, 1, 1).isoformat(),
        datetime.date.fromtimestamp(0),
    )


# expect: pass | never_raises |
def logs(sample):
    logging.getLogger("x").warning("a record has a time")


# expect: pass | never_raises |
def waits_in_asyncio(sample):
    async def work():
        await asyncio.wait_for(asyncio.sleep(0.001), 5)
        return sample

    return asyncio.run(work())


# expect: pass | never_raises |
def waits_in_a_queue(sample):
    lines = queue.Queue()
    lines.put(sample)
    threading.Event().wait(0.001)
    return lines.get(timeout=1)


# expect: protocol_error | never_raises | unpinned randomness: os.urandom()
def draws_bytes(sample):
    return os.urandom(1)


# expect: protocol_error | never_raises | os.urandom()
def draws_under_another_name(sample):
    return dice(1)


# expect: protocol_error | never_raises | unpinned randomness: os.urandom() in uuid.uuid4() at src/reading.py:
def makes_a_uuid(sample):
    return uuid.uuid4()


# expect: protocol_error | never_raises | uuid.uuid1()
def makes_an_old_uuid(sample):
    return uuid.uuid1()


# expect: protocol_error | never_raises | os.urandom() in secrets.token_hex()
def makes_a_token(sample):
    return secrets.token_hex()


# expect: protocol_error | never_raises | os.urandom() in random.SystemRandom.random()
def uses_system_random(sample):
    return random.SystemRandom().random()


# expect: protocol_error | never_raises | random.Random() without a seed
def uses_an_unseeded_generator(sample):
    return random.Random().randint(0, 9)


shared = random.Random()


# expect: protocol_error | never_raises | random.Random() without a seed
def uses_one_made_at_import(sample):
    return shared.choice("ab")


# expect: protocol_error | never_raises | random.seed()
def forgets_the_seed(sample):
    random.seed()
    return random.random()


# expect: protocol_error | never_raises | /dev/urandom
def reads_a_device(sample):
    with open("/dev/urandom", "rb") as file:
        return file.read(1)


# expect: pass | deterministic |
def uses_a_seeded_generator(sample):
    late = random.Random()
    late.seed(4)
    return random.Random(3).random(), late.random(), uuid.uuid5(uuid.NAMESPACE_DNS, "x")


# expect: pass | never_raises |
def uses_the_pinned_generator(sample):
    return random.random(), random.choice([1, 2]), random.sample(range(9), 3)


# expect: pass | never_raises |
def writes_a_temporary_file(sample):
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x")


# expect: protocol_error | never_raises | time.time() in email.utils.formatdate()
def dates_a_letter(sample):
    return email.utils.formatdate()


# expect: pass | never_raises | it starts a process: sh at src/reading.py:
def starts_a_program(sample):
    subprocess.run(["/bin/sh", "-c", "true"], check=True)


# expect: pass | never_raises | it starts a process: true at src/reading.py:
def starts_a_shell(sample):
    os.system("true")


# expect: pass | never_raises | it forks at src/reading.py:
def forks(sample):
    if os.fork() == 0:
        os._exit(0)


# expect: invariant_miss | total | (it writes reading.out at src/reading.py:
def writes_a_file(sample):
    pathlib.Path("reading.out").write_text("x")


# expect: pass | never_raises | reading.folder at src/reading.py:
def makes_a_folder(sample):
    pathlib.Path("reading.folder").mkdir()
    pathlib.Path("reading.folder").rmdir()


# expect: protocol_error | never_raises | network: socket.connect
def connects(sample):
    with socket.socket() as one:
        one.connect(("127.0.0.1", 9))


# expect: protocol_error | never_raises | network: socket.getaddrinfo
def hides_that_it_connects(sample):
    try:
        return urllib.request.urlopen("http://example.invalid/", timeout=1)
    except OSError:
        return None


# expect: protocol_error | never_raises | network: socket.sendto
def sends(sample):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(b"x", ("127.0.0.1", 9))


# expect: pass | never_raises |
def talks_locally(sample):
    one, two = socket.socketpair()
    one.send(b"x")
    with one, two:
        return two.recv(1)
