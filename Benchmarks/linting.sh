#!/bin/bash
# The cost of all rules of `opviz lint`, with and without reading the trace. Also how the time grows with the
# trace, for runs of several shapes, including some in which half of the operations never finished.
#
# Measures processor time. The time for reading is that of `opviz lint` with a single rule that has nothing to
# check: no operation of these traces was repeated. linting.sh [OPERATIONS [ROUNDS [SHAPE…]]]
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${OPVIZ:-}" ]; then swift build -c release --static-swift-stdlib --product opviz >/dev/null; fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
OPVIZ=${OPVIZ:-.build/release/opviz} python3 - "$scratch" "${1:-1000000}" "${2:-3}" "${@:3}" <<'PYTHON'
import os, subprocess, sys

scratch, count, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
opviz = os.environ["OPVIZ"]


def make(shape, count):
    words = shape.split()
    path = f"{scratch}/{words[0]}-{count}"
    subprocess.run([sys.executable, "Benchmarks/make-trace.py", words[0], str(count), path + ".json", *words[1:]], check=True)
    subprocess.run([opviz, "convert", path + ".json", "-o", path + ".optrace"], check=True)
    os.remove(path + ".json")
    return path + ".optrace"


def seconds(*command):
    """On the processor: the least of the rounds."""
    times = []
    for _ in range(rounds + 1):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0, command
        times.append(usage.ru_utime + usage.ru_stime)
    return min(times)


print(f"| all rules | reading {count} | rules | both | both ÷ both of {count // 10} | limits |")
print("|---|---|---|---|---|---|")
for shape in sys.argv[4:] or ["random", "chain", "star", "bipartite", "queues", "plain", "nested", "serial",
                              "random stuck", "chain stuck", "queues stuck", "plain stuck", "nested stuck"]:
    small, large = make(shape, count // 10), make(shape, count)
    before = seconds(opviz, "lint", small)
    reading = seconds(opviz, "lint", "--rule", "double-start", large)
    both = seconds(opviz, "lint", large)
    print(f"| {shape} | {reading:.2f} s | {both - reading:.2f} s | {both:.2f} s | {both / before:.1f} × | 3 s, 12 × |",
          flush=True)
    for path in (small, large):
        os.remove(path)
PYTHON
