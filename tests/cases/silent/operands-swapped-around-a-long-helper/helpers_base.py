import os
import subprocess
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def rejecting(self) -> list[str]:
        return [one["rule"] for one in self.document["findings"] if one["gate"] == "reject"]


def run(folder, *words, task="score", env=None):
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "SYSTEMROOT", "TMPDIR", "TEMP")}
    plain = {"PYTHONPATH": "src", "GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        (sys.executable, "-m", "shop", task, *words), cwd=folder, env=kept | plain | dict(env or {}), capture_output=True, check=False
    )
    return Answer(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "replace"))
