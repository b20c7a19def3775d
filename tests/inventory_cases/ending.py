"""
Functions that end in other ways than by returning.  `# expect: class | check | words in the detail`.
"""

# ruff: noqa: S606, PT018, PTH109, PTH112, SIM105, T201  # they are meant to be bad
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time


# expect: pass | never_raises |
def fine(sample):
    return sample


# expect: invariant_miss | never_raises | ValueError: no
def raises(sample):
    raise ValueError("no")


# expect: invariant_miss | never_raises | SystemExit
def leaves(sample):
    sys.exit(0)


# expect: invariant_miss | never_raises | KeyboardInterrupt
def interrupts(sample):
    raise KeyboardInterrupt


# expect: invariant_miss | never_raises | RecursionError
def recurses(sample):
    return recurses(sample)


# expect: invariant_miss | never_raises | MemoryError
def eats_memory(sample):
    return [0] * (1 << 33)


# expect: invariant_miss | never_raises | MemoryError
def hoards(sample):
    held = []
    while True:
        held.append(bytes(1 << 28))


# expect: protocol_error | never_raises | exited with code 0
def exits_at_once(sample):
    os._exit(0)


# expect: protocol_error | never_raises | SIGSEGV
def crashes(sample):
    ctypes.string_at(0)


# expect: protocol_error | never_raises | SIGKILL
def kills_itself(sample):
    os.kill(os.getpid(), signal.SIGKILL)


# expect: protocol_error | never_raises | no answer within 1 s
def hangs(sample):
    while True:
        pass


# expect: protocol_error | never_raises | no answer within 1 s
def hangs_deaf(sample):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGABRT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(60)


# expect: protocol_error | never_raises | no answer within 1 s
def stops_itself(sample):
    os.kill(os.getpid(), signal.SIGSTOP)


# expect: protocol_error | never_raises | ended or stopped the worker
def kills_its_parent(sample):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(30)


# expect: pass | never_raises |
def forks(sample):
    if os.fork() == 0:
        return "the child goes on as if nothing were"
    return "parent"


# expect: pass | never_raises |
def leaves_a_process(sample):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])


# expect: pass | never_raises |
def leaves_a_daemon(sample):
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(61.25)"])
        os._exit(0)
    os.waitpid(child, 0)


# expect: pass | never_raises |
def leaves_a_thread(sample):
    threading.Thread(target=time.sleep, args=(60,)).start()


# expect: pass | never_raises |
def prints_much(sample):
    for _ in range(200):
        print("x" * 10_000)
        print("y" * 10_000, file=sys.stderr)


# expect: protocol_error | never_raises | no answer within 1 s
def prints_without_end(sample):
    while True:
        print("x" * 10_000, flush=True)
        print("y" * 10_000, file=sys.stderr)


# expect: pass | never_raises |
def closes_what_it_prints_to(sample):
    sys.stdout.close()
    sys.stderr.close()
    os.close(1)
    os.close(2)


# expect: protocol_error | never_raises |
def closes_everything(sample):
    os.closerange(0, 4096)


# expect: protocol_error | never_raises | something other than the check
def forges_a_result(sample):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b'{"colour": "green", "detail": "", "nonce": ""}\n')
        except OSError:
            pass


# expect: pass | never_raises |
def changes_its_surroundings(sample):
    os.chdir("/")
    os.environ.clear()
    sys.setrecursionlimit(60)
    sys.path.clear()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    os.umask(0o777)


# expect: pass | never_raises |
def runs_after_all_of_that(sample):
    assert os.getcwd() != "/" and os.environ["TZ"] == "UTC" and sys.getrecursionlimit() > 60
    assert os.environ["PYTHONHASHSEED"] == "0" and os.path.isdir(os.environ["HOME"])


# expect: protocol_error | never_raises | an async function
async def waits(sample):
    return sample


# expect: protocol_error | never_raises | a generator function
def yields(sample):
    yield sample


# expect: protocol_error | never_raises | nothing awaits it
def hands_out_a_coroutine(sample):
    return waits(sample)


# expect: protocol_error | never_raises | can't be called
not_a_function = 7
