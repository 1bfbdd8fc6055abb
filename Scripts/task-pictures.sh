#!/bin/bash
# Draws the pictures of larger programs in Documentation/FollowTasks.md: sourcekit-lsp in a session of requests, and the example
# gallery with its server of FlyingFox. The guide names figures of them: read both afterwards. To be run on an idle machine.
# task-pictures.sh OPVIZ GALLERY FOLDER
set -euo pipefail
opviz=$(realpath "$1") gallery=$(realpath "$2") folder=$(realpath "$3")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
PYTHONDONTWRITEBYTECODE=1 python3 Tests/real_tasks.py "$opviz" sourcekit-lsp "$scratch/session"
"$opviz" timeline "$scratch"/session/sourcekit-lsp-*.json -o "$folder/tasks-sourcekit-lsp.svg"

cd "$scratch"
"$opviz" record --tasks -q -o "$scratch/gallery.json" -- "$gallery" >/dev/null
"$opviz" graph gallery.json --collapse kind -o "$folder/tasks-server.svg"
# Later, it draws its own picture.
end=$("$opviz" table gallery.json --by operation --format json |
    python3 -c 'import json, sys; print(max(row.get("finishedNs", 0) for row in json.load(sys.stdin)["rows"]) // 10**6 + 1)')
"$opviz" timeline gallery.json --window "0ms..${end}ms" -o "$folder/tasks-server-timeline.svg"
