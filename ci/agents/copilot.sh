#!/bin/sh
# The same as writeset.sh for agents whose hooks answer with JSON on standard output.
cd "$(git rev-parse --show-toplevel)" || exit 2
PATH=$PATH:.venv/bin:.nox/gate/bin
if said=$(oraclekeep writeset --hook 2>&1); then exit 0; fi
printf '%s' "${said:-oraclekeep could not tell}" | tr '\n"\\\t' " ''  " | {
    IFS= read -r reason || true
    printf '{"permissionDecision": "deny", "permissionDecisionReason": "%s"}\n' "$reason"
}
