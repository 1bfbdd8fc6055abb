#!/usr/bin/env bash
# Checks an opviz without Graphviz: it writes DOT, and says what it cannot do. Only the module that differs is
# compiled, and linked with the rest of the debug build, which must be there; `make soak` builds it completely.
# without-graphviz.sh [OPVIZ]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { printf 'without Graphviz: %s\n' "$*" >&2; exit 1; }

link() {
    cd "$root"
    env -u OPVIZ_DEVELOPMENT swift build --disable-default-traits --scratch-path .build-without-graphviz --target GraphvizRendering
    grep -v /GraphvizRendering.build/ .build/debug/opviz.product/Objects.LinkFileList >"$folder/objects"
    [ -s "$folder/objects" ] || fail "there is no debug build of opviz"
    swiftc @"$folder/objects" .build-without-graphviz/debug/GraphvizRendering.build/*.o \
        -Xlinker --defsym=main=opviz_main -lsimdjson -lstdc++ -o "$folder/opviz"
}

opviz=${1:-}
if [ -z "$opviz" ]; then
    (link)
    opviz=$folder/opviz
fi
trace=$folder/trace.json
cp "$root/Tests/OpvizTests/Traces/quotes.json" "$trace"
! ldd "$opviz" | grep -q libgvc || fail "the program is linked with libgvc"
"$opviz" "$trace" >/dev/null
grep -q '^digraph' "$folder/trace.dot" || fail "no DOT beside the trace"
status=0
sentence=$("$opviz" "$trace" -o "$folder/trace.svg" 2>&1) || status=$?
[ "$status" -eq 64 ] || fail "a picture as SVG ended with status $status, not 64"
[[ $sentence == *"built without Graphviz"* ]] || fail "it did not say why: $sentence"
[ ! -e "$folder/trace.svg" ] || fail "it left a picture"
echo "without Graphviz: DOT is written, and SVG refused"
