#!/bin/bash
# The cost of a trace's analyses: critical path and slack, and the replay, in milliseconds of processor time.
# Also how the time of every analysis grows with the trace, for graphs of several shapes.
#
# Each measurement is a separate process, as for a command; sizes alternate. analysis.sh [OPERATIONS [ROUNDS]]
set -euo pipefail
export OPVIZ_DEVELOPMENT=1
cd "$(dirname "$0")/.."

swift build -c release --static-swift-stdlib --product opviz >/dev/null
swift build -c release --product analysis-cost >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
OPVIZ=${OPVIZ:-.build/release/opviz} python3 - "$scratch" "${1:-1000000}" "${2:-5}" <<'PYTHON'
import json, os, statistics, subprocess, sys

scratch, count, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def make(shape, count):
    path = f"{scratch}/{shape}-{count}"
    subprocess.run([sys.executable, "Benchmarks/make-trace.py", shape, str(count), path + ".json"], check=True)
    subprocess.run([os.environ["OPVIZ"], "convert", path + ".json", "-o", path + ".optrace"], check=True)
    os.remove(path + ".json")
    return path + ".optrace"


def costs(*paths):
    """By trace, by analysis the median of a few processes; and the number of edges."""
    samples = {path: {} for path in paths}
    edges = {}
    for number in range(rounds + 1):
        for path in paths:
            line = subprocess.run(
                [".build/release/analysis-cost", "1", path], check=True, capture_output=True, text=True)
            result = json.loads(line.stdout)
            edges[path] = result["edges"]
            # The first round loads the file into memory.
            for name, cost in result["milliseconds"].items() if number > 0 else []:
                samples[path].setdefault(name, []).append(cost)
    return [({name: statistics.median(all) for name, all in samples[path].items()}, edges[path]) for path in paths]


def row(name, value, unit, limit):
    print(f"| {name} | {value:.4g}{unit} | {limit}{unit} |", flush=True)


print("| analysis | median | limit |")
print("|---|---|---|")
for number in (count // 30, count):
    path = make("random", number)
    [(cost, edges)] = costs(path)
    # The analysis also contains the waits of all operations, and the timings of all kinds.
    row(f"critical path and slack, {edges} edges", cost["analysis"] + cost["slack"], " ms",
        "80" if number < count else "2000")
    if number == count:
        row(f"replay of {number} operations, with its model", cost["replay model"] + cost["replay"], " ms", "2000")
    os.remove(path)
for shape in ["random", "chain", "star", "bipartite", "queues", "plain"]:
    paths = [make(shape, count // 10), make(shape, count)]
    (small, _), (large, _) = costs(*paths)
    for name in large:
        row(f"{shape}: {name}, {count} ÷ {count // 10} operations", large[name] / small[name], " ×", "12")
    row(f"{shape}: all of these", sum(large.values()) / sum(small.values()), " ×", "12")
    for path in paths:
        os.remove(path)
PYTHON
