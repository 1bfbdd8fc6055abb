#!/usr/bin/env bash
# Records a real program in the binary form, and compares the results of opviz and of a reader that shares no
# code with it. Then converts the log in both directions.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
OPVIZ_TRACE=run.optrace "$root/.build/debug/quotes" >/dev/null
opviz=$root/.build/debug/opviz
"$opviz" convert run.optrace -o run.json
python3 "$root/Tests/read_optrace.py" run.optrace run.json
"$opviz" convert run.json -o again.optrace
"$opviz" convert again.optrace -o again.json
cmp run.json again.json
"$opviz" compact run.optrace -o small.optrace
python3 "$root/Tests/read_optrace.py" small.optrace run.json
python3 "$root/Tests/read_optrace.py" again.optrace again.json
# Swift tasks.
"$opviz" record --tasks -q -o tasks.optrace "$root/.build/debug/TaskVictim" >/dev/null
"$opviz" convert tasks.optrace -o tasks.json
grep -q '"event":"executorOpened"' tasks.json
"$opviz" convert tasks.json -o again.optrace
"$opviz" compact tasks.optrace -o small.optrace
for trace in tasks.optrace again.optrace small.optrace; do
    python3 "$root/Tests/read_optrace.py" $trace tasks.json
done
# A quota of CPU time, and an affinity mask that changed.
sed '1s/"usableProcessors":"[0-9]*"/&,"processorQuota":"250","laterProcessors":"7"/' run.json >limited.json
"$opviz" convert limited.json -o limited.optrace
"$opviz" compact limited.optrace -o small.optrace
for trace in limited.optrace small.optrace; do python3 "$root/Tests/read_optrace.py" $trace limited.json; done
# Two processes, and their merged logs.
"$root/.build/debug/words" >/dev/null
"$opviz" merge logs/ -o merged.optrace
"$opviz" merge logs/ -o merged.json
python3 "$root/Tests/read_optrace.py" merged.optrace merged.json
"$opviz" compact merged.optrace -o small.optrace
python3 "$root/Tests/read_optrace.py" small.optrace merged.json
