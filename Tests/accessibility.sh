#!/usr/bin/env bash
# Looks for broken rules of accessibility on pages of opviz report and diff, with axe-core.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
environment=$root/.build/axe-venv
axe() { find "$environment" -name axe.min.js 2>/dev/null | head -n 1; }
if [[ -z $(axe) ]]; then
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps axe-playwright-python==0.1.8
fi
cd "$root"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
OPVIZ_AXE=$(axe) bash Tests/run-tests.sh --skip-build --disable-xctest --no-parallel --filter AccessibilityTests | tee "$log"
grep -aqE '(rules of accessibility|axe-core finds).* (passed|skipped)' "$log" || { echo "no page was looked at"; exit 1; }
