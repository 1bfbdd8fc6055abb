#!/usr/bin/env bash
# Checks an opviz that was built without Graphviz: it writes DOT, and says what it cannot do.
set -euo pipefail
opviz=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trace=$folder/trace.json
cp "$(dirname "$0")/OpvizTests/Traces/quotes.json" "$trace"

fail() { printf 'without Graphviz: %s\n' "$*" >&2; exit 1; }

! ldd "$opviz" | grep -q libgvc || fail "the program is linked with libgvc"
"$opviz" "$trace" >/dev/null
grep -q '^digraph' "$folder/trace.dot" || fail "no DOT beside the trace"
status=0
sentence=$("$opviz" "$trace" -o "$folder/trace.svg" 2>&1) || status=$?
[ "$status" -eq 64 ] || fail "a picture as SVG ended with status $status, not 64"
[[ $sentence == *"built without Graphviz"* ]] || fail "it did not say why: $sentence"
[ ! -e "$folder/trace.svg" ] || fail "it left a picture"
echo "without Graphviz: DOT is written, and SVG refused"
