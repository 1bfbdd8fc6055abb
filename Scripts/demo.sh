#!/usr/bin/env bash
# Builds opviz and an example, runs the example, and draws its picture, which is left in the folder demo: demo.sh
set -euo pipefail
cd "$(dirname "$0")/.."
# Without the targets that only tests, benchmarks and other examples need, as `swift build` by hand.
unset OPVIZ_DEVELOPMENT

# Seconds that the build takes here, from a loop that this many milliseconds are usual for where the build takes 80
# seconds on two processors.
expected_seconds() {
    local begin=${EPOCHREALTIME//[!0-9]/} i
    for ((i = 0; i < 200000; i++)); do :; done
    local milliseconds=$(((${EPOCHREALTIME//[!0-9]/} - begin) / 1000)) processors
    processors=$(getconf _NPROCESSORS_ONLN)
    # Modules that wait for each other keep more than four processors idle.
    ((processors = processors > 4 ? 4 : processors))
    echo $((160 * milliseconds / 250 / processors))
}

if [ -x .build/debug/trending ]; then
    echo "This compiles what changed, runs an example program, and draws what its operations did."
else
    minutes=$((($(expected_seconds) + 59) / 60))
    echo "This installs what is missing, compiles opviz (about $minutes min here), runs an example program, and draws what its operations did."
fi
bash Scripts/setup.sh --build-only
swift build

rm -rf demo
mkdir demo
echo
(cd demo && OPVIZ_TRACE=trending.json ../.build/debug/trending)
.build/debug/opviz demo/trending.json -o demo/trending.png >/dev/null
cat <<END

page     .build/debug/opviz report demo/trending.json
picture  $PWD/demo/trending.png
END
