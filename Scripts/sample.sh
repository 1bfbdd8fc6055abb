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
bash Scripts/screenshot.sh "$folder/demo.html" "$folder/page.png"
