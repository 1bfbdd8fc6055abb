#!/bin/bash
# The cost of pictures: the graph compared with Graphviz's own program, the graph and the timeline of a large
# trace, and how the time of each output grows with the trace.
#
# Compared programs alternate. pictures.sh [OPERATIONS [ROUNDS]]
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${OPVIZ:-}" ]; then swift build -c release --static-swift-stdlib --product opviz >/dev/null; fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
OPVIZ=${OPVIZ:-$PWD/.build/release/opviz} python3 - "$scratch" "${1:-1000000}" "${2:-5}" <<'PYTHON'
import os, statistics, subprocess, sys, time

scratch, count, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
opviz = os.environ["OPVIZ"]


def make(shape, count):
    path = f"{scratch}/{shape}-{count}"
    subprocess.run([sys.executable, "Benchmarks/make-trace.py", shape, str(count), path + ".json"], check=True)
    subprocess.run([opviz, "convert", path + ".json", "-o", path + ".optrace"], check=True)
    os.remove(path + ".json")
    return path + ".optrace"


def run(*command):
    """Seconds by the clock, and on the processor."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


def alternating(*commands):
    samples = [[] for _ in commands]
    for number in range(rounds + 1):
        for command, all in zip(commands, samples):
            sample = run(*command)
            # The first round loads the files into memory.
            if number > 0:
                all.append(sample)
    return samples


def row(name, value, unit, limit):
    print(f"| {name} | {value:.3g}{unit} | {limit}{unit} |", flush=True)


print("| picture | median | limit |")
print("|---|---|---|")
small = make("random", 100)
dot, svg = scratch + "/small.dot", scratch + "/small.svg"
run(opviz, small, "-o", dot)
rounds, usual = rounds * 5, rounds
ours, theirs = alternating((opviz, small, "-o", svg), ("dot", "-Tsvg", dot, "-o", scratch + "/dot.svg"))
rounds = usual
row("graph of 100 operations ÷ dot -Tsvg on its DOT",
    statistics.median(a[0] / b[0] for a, b in zip(ours, theirs)), "", "1.3")
middle = make("random", 10_000)
[timed] = alternating((opviz, middle, "--collapse", "none", "--layout", "timeline", "-o", svg))
row("10,000 operations one by one, by time", statistics.median(each[0] for each in timed), " s", "2")
help, = alternating((opviz, "--help"))
row("opviz --help", statistics.median(each[0] for each in help) * 1000, " ms", "60")

tenth, large = make("random", count // 10), make("random", count)
outputs = {
    "graph": lambda trace: (opviz, trace, "-o", svg),
    "graph as Mermaid": lambda trace: (opviz, trace, "-o", scratch + "/g.mmd"),
    "summary as Markdown": lambda trace: (opviz, trace, "-o", scratch + "/g.md"),
    "timeline": lambda trace: (opviz, "timeline", trace, "-o", svg),
    "timeline on a terminal": lambda trace: (opviz, "timeline", trace),
    "comparison": lambda trace: (opviz, "diff", trace, trace),
}
for name, command in outputs.items():
    less, more = alternating(command(tenth), command(large))
    seconds = statistics.median(each[0] for each in more)
    row(f"{name} of {count:,} operations", seconds, " s", "3" if name == "graph" else "–")
    if os.path.exists(svg) and name in ("graph", "timeline"):
        row(f"its size", os.path.getsize(svg) / 1e6, " MB", "2")
    row(f"{name}, {count:,} ÷ {count // 10:,} operations",
        statistics.median(each[1] for each in more) / statistics.median(each[1] for each in less), " ×", "12")
PYTHON
