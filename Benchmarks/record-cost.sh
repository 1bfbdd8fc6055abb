#!/bin/bash
# What `opviz record` costs a program that nobody changed: the program alone, and with the library loaded into it.
#
# Runs go in alternating pairs, so that a busy machine is busy for both. Measured is the program itself, from its start to its
# end, and not opviz, which reads the log afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."

make -s record-library
swift build -c release -Xcxx -O2 --product opviz >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
swiftc -O -swift-version 6 Tests/Programs/Empty.swift -o "$scratch/Empty"
python3 - "$scratch" .build/release/opviz "${1:-25}" <<'PYTHON'
import statistics, subprocess, sys, time

scratch, opviz, pairs = sys.argv[1], sys.argv[2], int(sys.argv[3])
# Times the program within the recording, where the environment has the library in it.
timer = """
import subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(time.perf_counter() - start)
"""


def alone(command):
    run = subprocess.run([sys.executable, "-c", timer, *command], check=True, capture_output=True)
    return float(run.stdout)


def recorded(command):
    outer = [opviz, "record", "-q", "-o", scratch + "/trace.optrace", "--"]
    run = subprocess.run([*outer, sys.executable, "-c", timer, *command], check=True, capture_output=True)
    return float(run.stdout)


def interval(values):
    """The median, and the order statistics that hold it with 95 %."""
    values = sorted(values)
    reach = int(0.98 * len(values) ** 0.5)
    low, high = (len(values) - 1) / 2 - reach, (len(values) - 1) / 2 + reach
    return statistics.median(values), values[max(0, int(low))], values[min(len(values) - 1, round(high))]


def compare(name, command, pairs, pick, unit, limit):
    pick_values = []
    for number in range(pairs + 2):
        both = [alone, recorded] if number % 2 else [recorded, alone]
        times = {run: run(command) for run in both}
        # The first pairs fill the caches.
        if number >= 2:
            pick_values.append(pick(times[alone], times[recorded]))
    middle, low, high = interval(pick_values)
    print(f"| {name} | {middle:.3f} {unit} | {low:.3f} to {high:.3f} | {limit} |", flush=True)


ratio = lambda plain, observed: observed / plain
milliseconds = lambda plain, observed: (observed - plain) * 1000
print("| recorded against alone | median | 95 % interval | limit |")
print("|---|---|---|---|")
compare("100,000 empty operations, whole program", [scratch + "/Empty", "100000"], pairs, ratio, "×", "1.10 ×")
compare("start of a program with Foundation", [scratch + "/Empty"], pairs, milliseconds, "ms", "+15 ms")
compare("start of /bin/true", ["/bin/true"], pairs * 4, milliseconds, "ms", "+0.5 ms")
PYTHON
