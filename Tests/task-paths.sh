#!/usr/bin/env bash
# Records random programs with operations and Swift tasks, and compares the critical path with what networkx makes of their events.
# Another seed each time, unless one is given. task-paths.sh [PROGRAMS [SEED]]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
programs=${1:-1} seed=${2:-$RANDOM}
environment=$root/.build/networkx-venv
if ! "$environment/bin/python3" -c "import networkx" 2>/dev/null; then
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check networkx==3.4.2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONDONTWRITEBYTECODE=1
for ((program = 0; program < programs; program += 1)); do
    echo "task-paths.sh 1 $((seed + program))"
    timeout 120 "$root/.build/debug/opviz" record --tasks -q --cpu off -o tasks.optrace -- \
        "$root/.build/debug/TaskStress" "$((seed + program))" 1 $((10 + (seed + program) % 60)) truth
    "$environment/bin/python3" "$root/Tests/task_paths.py" "$root/.build/debug/opviz" tasks.optrace
done
