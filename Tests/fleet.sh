#!/usr/bin/env bash
# Runs every statement of Documentation/Fleet.md in ClickHouse and in DuckDB, which are Python packages here,
# over the tables that opviz exports of the simulated fleet's thousand traces. OPVIZ_RECORD_GOLDENS=1 writes
# the results in the document anew, OPVIZ_FLEET_TIMES=1 says how long each statement took.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
root=$(cd "$(dirname "$0")/.." && pwd)
opviz=${OPVIZ:-$root/.build/debug/opviz}
environment=$root/.build/fleet-venv
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() { printf 'fleet: %s\n' "$*" >&2; exit 1; }

# A new environment for other versions. Without their dependencies, which only data frames need: a third of
# the room.
if ! cmp -s "$root/Tests/Fleet/requirements.txt" "$environment/requirements.txt"; then
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$root/Tests/Fleet/requirements.txt"
    cp "$root/Tests/Fleet/requirements.txt" "$environment/"
fi

(cd "$root/Tests/Fleet" && python3 -m unittest --quiet test_fleet_document) 2>"$folder/unittest" || fail "$(cat "$folder/unittest")"

cd "$folder"
python3 "$root/Tests/Fleet/simulate.py" traces
mkdir tables twice
for version in 1.4.1 1.4.2; do
    "$opviz" export "traces/$version" --format jsonl -o "tables/$version" --label "version=$version" 2>"said-$version" ||
        fail "opviz export ended with status $?: $(cat "said-$version")"
done
[ "$(cat said-* | grep -c 'warning: traces/')" -ge 20 ] || fail "opviz did not say which traces are incomplete"

# A trace without operations, one run under two names, and a run that is being loaded while another one is
# loaded.
printf '{"otherData":{"format":"opviz-trace","version":1,"process":"idle","pid":"1","host":"web-01","start":"1794787200000000000","closed":true,"dropped":"0"},"traceEvents":[]}' >idle.json
"$opviz" export idle.json --format jsonl -o idle --label version=1.4.1
sed 's/"process":"photod"/"process":"twice"/' traces/1.4.1/web-01-00.json >twice.json
for name in one two; do
    "$opviz" export twice.json --format jsonl -o "twice/$name" --label version=1.4.1
done
sed 's/"process":"photod"/"process":"late"/' traces/1.4.1/web-01-00.json >late.json
"$opviz" export late.json --format jsonl -o late --label version=1.4.1

"$environment/bin/python" "$root/Tests/Fleet/run_document.py" "$root/Documentation/Fleet.md"
