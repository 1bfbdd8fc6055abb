#!/usr/bin/env bash
# Records a program with Swift tasks of every kind that writes down itself what happens, and compares both. Another seed
# each time, unless one is given. task-truth.sh [SEED [ROUNDS [TASKS]]]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
seed=${1:-$RANDOM} rounds=${2:-3} tasks=${3:-150}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo "task-truth.sh $seed $rounds $tasks"
timeout 120 "$root/.build/debug/opviz" record --tasks -q --cpu off -o tasks.optrace -- \
    "$root/.build/debug/TaskStress" "$seed" "$rounds" "$tasks" truth
export PYTHONDONTWRITEBYTECODE=1
python3 "$root/Tests/compare_tasks.py" truth tasks.optrace
# With the await stack of each suspension.
timeout 120 "$root/.build/debug/opviz" record --tasks --await-stacks -q --cpu off -o stacks.optrace -- \
    "$root/.build/debug/TaskStress" "$seed" "$rounds" "$tasks" truth
python3 "$root/Tests/compare_tasks.py" truth stacks.optrace
# The same, where the program records itself.
OPVIZ_CPU=off timeout 120 "$root/.build/debug/TaskStress" "$seed" "$rounds" "$tasks" truth own.optrace
python3 "$root/Tests/compare_tasks.py" truth own.optrace
# Both at once: the tasks get into the log of opviz record.
timeout 120 "$root/.build/debug/opviz" record --tasks -q --cpu off -o both.optrace -- \
    "$root/.build/debug/TaskStress" "$seed" "$rounds" "$tasks" truth own.optrace
python3 "$root/Tests/compare_tasks.py" truth both.optrace
