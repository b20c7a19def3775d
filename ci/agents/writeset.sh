#!/bin/sh
# Before a tool writes: hands its call to `oraclekeep writeset`, and blocks what is not an agent's to write.
# For agents whose hooks read the call as JSON from standard input and block on exit code 2, with standard error
# as the reason.  Any other code lets the write through there, so whatever goes wrong here is a 2 as well.
cd "${CLAUDE_PROJECT_DIR:-${GEMINI_PROJECT_DIR:-.}}" || exit 2
root=$(git rev-parse --show-toplevel) || exit 2
PATH=$PATH:$root/.venv/bin:$root/.nox/gate/bin
command -v oraclekeep >/dev/null || { echo "oraclekeep is not installed, so no write can be checked" >&2; exit 2; }
oraclekeep writeset --hook >&2 || exit 2
