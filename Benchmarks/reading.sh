#!/bin/bash
# The cost of reading and analysing a trace: `opviz table` on JSON compared with simdjson visiting every field
# of the same file, its memory, the binary form, and how the time grows with the trace for graphs of several
# shapes.
#
# Runs alternate, so that a busy machine affects both. Measures processor time, and for the binary form also
# the time that passes: two threads share that work, so it needs a machine with two idle cores. The files are in
# the page cache: the first round is not counted. reading.sh [OPERATIONS [ROUNDS]]
set -euo pipefail
cd "$(dirname "$0")/.."

swift build -c release --static-swift-stdlib --product opviz >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"${CXX:-clang++}" -std=c++17 -O2 -DNDEBUG -o "$scratch/json-visit" Benchmarks/json-visit.cpp -lsimdjson
OPVIZ=${OPVIZ:-.build/release/opviz} python3 - "$scratch" "${1:-1000000}" "${2:-10}" <<'PYTHON'
import os, statistics, subprocess, sys, time

scratch, count, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
opviz = os.environ["OPVIZ"]


def make(shape, count):
    path = f"{scratch}/{shape}-{count}"
    subprocess.run([sys.executable, "Benchmarks/make-trace.py", shape, str(count), path + ".json"], check=True)
    subprocess.run([opviz, "convert", path + ".json", "-o", path + ".optrace"], check=True)
    return path


def run(*command):
    """Seconds on the processor, peak memory in bytes, and seconds that passed."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, time.monotonic() - start


def interval(values):
    """The median, and the order statistics that hold it with 95 %."""
    values = sorted(values)
    reach = int(0.98 * len(values) ** 0.5)
    low, high = (len(values) - 1) / 2 - reach, (len(values) - 1) / 2 + reach
    return statistics.median(values), values[max(0, int(low))], values[min(len(values) - 1, round(high))]


def row(name, values, unit, limit):
    middle, low, high = interval(values)
    print(f"| {name} | {middle:.2f}{unit} | {low:.2f} to {high:.2f} | {limit} |", flush=True)


print("| reading | median | 95 % interval | limit |")
print("|---|---|---|---|")
path = make("random", count)
ratios, memory, seconds, elapsed = [], [], [], []
for number in range(rounds + 1):
    table, peak, _ = run(opviz, "table", path + ".json")
    visit, _, _ = run(scratch + "/json-visit", path + ".json")
    processor, _, passed = run(opviz, "table", path + ".optrace")
    if number > 0:
        ratios.append(table / visit)
        memory.append(peak / os.path.getsize(path + ".json"))
        seconds.append(processor)
        elapsed.append(passed)
row(f"table of {count} operations, JSON ÷ simdjson alone", ratios, " ×", "1.70 ×")
row("its peak memory ÷ the file's size", memory, " ×", "1.00 ×")
row("table of the same trace, binary: time that passes", elapsed, " s", "0.50 s")
row("its processor time", seconds, " s", "1.00 s")
os.remove(path + ".json")

for shape in ["random", "chain", "star", "bipartite", "queues", "plain"]:
    small, large = make(shape, count // 10), make(shape, count)
    ratios = []
    for number in range(rounds + 1):
        # Reads the small file often enough for the clock.
        before = min(run(opviz, "table", small + ".optrace")[0] for _ in range(3))
        after = run(opviz, "table", large + ".optrace")[0]
        if number > 0:
            ratios.append(after / before)
    row(f"{shape}: table of {count} ÷ of {count // 10}", ratios, " ×", "12.00 ×")
    for path in (small, large):
        for form in (".json", ".optrace"):
            if os.path.exists(path + form):
                os.remove(path + form)
PYTHON
