#!/bin/sh
# The same as writeset.sh for agents whose hooks answer with JSON on standard output: answer.sh copilot|cursor|cline
# Cline's hook is a program: copy this file to .clinerules/hooks/PreToolUse and make it executable.
form=${1:-cline}
root=$(git rev-parse --show-toplevel) || exit 2
PATH=$PATH:$root/.venv/bin:$root/.nox/gate/bin
case $form in
copilot) yes='' no='{"permissionDecision": "deny", "permissionDecisionReason": "%s"}\n' ;;
cursor) yes='{}' no='{"permission": "deny", "user_message": "oraclekeep stopped a write", "agent_message": "%s"}\n' ;;
cline) yes='{"cancel": false}' no='{"cancel": true, "errorMessage": "%s"}\n' ;;
*) exit 2 ;;
esac
if said=$(oraclekeep writeset --hook 2>&1); then
    if [ -n "$yes" ]; then echo "$yes"; fi
    exit 0
fi
# No quote, backslash or control character of what was said may end or bend the JSON.
said=$(printf '%s' "${said:-oraclekeep could not tell}" | tr '"\134' "'/" | tr '[:cntrl:]' ' ')
# shellcheck disable=SC2059 # the format is one of the three above
printf "$no" "$said"
