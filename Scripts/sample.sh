#!/bin/bash
# What README shows before anything is installed: the trace of `opviz demo`, its page, and three pictures.
#
# sample.sh OPVIZ FOLDER
set -euo pipefail
opviz=$1 folder=$2

mkdir -p "$folder"
"$opviz" demo -o "$folder/demo.json" >/dev/null
"$opviz" graph "$folder/demo.json" -o "$folder/graph.svg" >/dev/null
"$opviz" timeline "$folder/demo.json" -o "$folder/timeline.svg" >/dev/null
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1600,1000 \
	--virtual-time-budget=2000 --screenshot="$PWD/$folder/page.png" "file://$PWD/$folder/demo.html"
