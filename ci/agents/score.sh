#!/bin/sh
# When an agent says that it is done: scores the working copy, and hands the findings back as work to do.
# For agents whose hooks read JSON from standard input and go on working on exit code 2, with standard error as the
# reason.  A second stop in a row goes through: a person decides then, and the gate in CI decides in any case.
cd "${CLAUDE_PROJECT_DIR:-.}" || exit 2
root=$(git rev-parse --show-toplevel) || exit 2
PATH=$PATH:$root/.venv/bin:$root/.nox/gate/bin
case $(cat) in *'"stop_hook_active":true'* | *'"stop_hook_active": true'*) exit 0 ;; esac
command -v oraclekeep >/dev/null || { echo "oraclekeep is not installed, so nothing was scored" >&2; exit 2; }
oraclekeep score --worktree >&2 || exit 2
