#!/bin/bash
# Records the traces of the programs with a planted fault, of which Tests/OpvizTests/FaultsTests.swift reads what the
# commands say first: fault-traces.sh OPVIZ PROGRAMS FOLDER
set -euo pipefail
opviz=$1 programs=$2 folder=$3
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in $("$programs/faults" 2>&1 | sed 's/usage: faults //; s/|/ /g'); do
	"$opviz" record -o "$work/$name.optrace" -- "$programs/faults" "$name" >/dev/null 2>&1
	rm -f "$folder/$name.optrace"
	"$opviz" compact "$work/$name.optrace" -o "$folder/$name.optrace"
done
