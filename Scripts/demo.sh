#!/usr/bin/env bash
# Builds opviz, and records, explains and draws the run that README shows first, into the folder demo: demo.sh
set -euo pipefail
cd "$(dirname "$0")/.."
# Without the targets that only tests, benchmarks and other examples need, as `swift build` by hand.
unset OPVIZ_DEVELOPMENT

# Seconds that the build takes here, from a loop that 250 milliseconds are usual for where the build takes 84 seconds on
# two processors. More processors compile with other flags (Package.swift), which takes longer in all.
expected_seconds() {
    # Bash 5 has it.
    [ -n "${EPOCHREALTIME-}" ] || return 1
    local begin=${EPOCHREALTIME//[!0-9]/} i seconds=168
    for ((i = 0; i < 200000; i++)); do :; done
    local milliseconds=$(((${EPOCHREALTIME//[!0-9]/} - begin) / 1000)) processors
    processors=$(getconf _NPROCESSORS_ONLN)
    [ "$processors" -le 2 ] || seconds=210
    # Modules that wait for each other keep more than four processors idle.
    ((processors = processors > 4 ? 4 : processors))
    echo $((seconds * milliseconds / 250 / processors))
}

# What swift build says; in a terminal each step in place of the one before. Not the driver's remark that it cannot
# compile single files again, which it makes for each module that is compiled as a whole.
shown() {
    local line clear="" columns
    [ ! -t 1 ] || { clear="\r\033[K" && columns=$(tput cols || echo 80); }
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        "remark: Incremental compilation has been disabled"*) ;;
        \[*/*\]*)
            if [ -n "$clear" ]; then printf "$clear%s" "${line:0:columns-1}"; else printf '%s\n' "$line"; fi ;;
        *) printf "$clear%s\n" "$line" ;;
        esac
    done
    printf "$clear"
}

if [ -x .build/debug/opviz ]; then
    echo "This compiles opviz if it has to, records a run, and explains and draws it."
else
    time=
    if seconds=$(expected_seconds); then time=" (about $(((seconds + 59) / 60)) min here)"; fi
    echo "This installs what is missing, compiles opviz$time, records a run, and explains and draws it."
fi
bash Scripts/setup.sh --build-only
swift build 2>&1 | shown

rm -rf demo
mkdir demo
echo
PATH=$PWD/.build/debug:$PATH
opviz demo -o demo/demo.json
opviz demo/demo.json -o demo/demo.png >/dev/null
cat <<END

To run these commands here: PATH=\$PWD/.build/debug:\$PATH
Picture: $PWD/demo/demo.png
END
