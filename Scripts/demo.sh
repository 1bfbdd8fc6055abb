#!/usr/bin/env bash
# Builds opviz, and records, explains and draws the run that README shows first, into the folder demo: demo.sh
set -euo pipefail
cd "$(dirname "$0")/.."
# Without the targets that only tests, benchmarks and other examples need, as `swift build` by hand.
unset OPVIZ_DEVELOPMENT

# Seconds that the build takes here, from a loop that this many milliseconds are usual for where the build takes 84
# seconds on two processors.
expected_seconds() {
    # Bash 5 has it.
    [ -n "${EPOCHREALTIME-}" ] || return 1
    local begin=${EPOCHREALTIME//[!0-9]/} i
    for ((i = 0; i < 200000; i++)); do :; done
    local milliseconds=$(((${EPOCHREALTIME//[!0-9]/} - begin) / 1000)) processors
    processors=$(getconf _NPROCESSORS_ONLN)
    # Modules that wait for each other keep more than four processors idle.
    ((processors = processors > 4 ? 4 : processors))
    echo $((168 * milliseconds / 250 / processors))
}

# What swift build says: in a terminal each step in place of the one before; never the driver's remark that it cannot
# compile single files again, which it has for each module.
shown() {
    local line clear="" end="\n"
    [ ! -t 1 ] || { clear="\r\033[K" && end=""; }
    while IFS= read -r line; do
        case $line in
        "remark: Incremental compilation has been disabled"*) ;;
        \[*/*\]*) printf "$clear%.79s$end" "$line" ;;
        *) printf "$clear%s\n" "$line" ;;
        esac
    done
}

if [ -x .build/debug/opviz ]; then
    echo "This compiles what changed, records a run, and explains and draws it."
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
