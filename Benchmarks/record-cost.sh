#!/bin/bash
# The cost of `opviz record` for an unmodified program: the program alone, and with the library loaded into
# it.
#
# Runs go in alternating pairs, so that a busy machine affects both. Measures the program itself, from its
# start to its end, and not opviz, which reads the log afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."

make -s record-library
swift build -c release --static-swift-stdlib --product opviz >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
swiftc -O -swift-version 6 Tests/Programs/Empty.swift -o "$scratch/Empty"
python3 - "$scratch" .build/release/opviz "${1:-25}" <<'PYTHON'
import statistics, subprocess, sys

scratch, opviz, pairs = sys.argv[1], sys.argv[2], int(sys.argv[3])
# Times the program inside the recording, where the environment contains the library: the median of several
# runs.
timer = """
import os, statistics, sys, time
times = []
for _ in range(int(sys.argv[1])):
    start = time.perf_counter()
    process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
    status = os.waitpid(process, 0)[1]
    times.append(time.perf_counter() - start)
    assert status == 0
print(statistics.median(times))
"""


def time(command, runs, before=()):
    whole = [*before, sys.executable, "-c", timer, str(runs), *command]
    return float(subprocess.run(whole, check=True, capture_output=True).stdout)


def recorded(command, runs):
    return time(command, runs, [opviz, "record", "-q", "-o", scratch + "/trace/", "--"])


def interval(values):
    """The median, and the order statistics that hold it with 95 %."""
    values = sorted(values)
    reach = int(0.98 * len(values) ** 0.5)
    low, high = (len(values) - 1) / 2 - reach, (len(values) - 1) / 2 + reach
    return statistics.median(values), values[max(0, int(low))], values[min(len(values) - 1, round(high))]


def compare(name, command, runs, pick, unit, limit):
    values = []
    for number in range(pairs + 1):
        both = [time, recorded] if number % 2 else [recorded, time]
        times = {way: way(command, runs) for way in both}
        # The first pair fills the caches.
        if number >= 1:
            values.append(pick(times[time], times[recorded]))
    middle, low, high = interval(values)
    print(f"| {name} | {middle:.3f} {unit} | {low:.3f} to {high:.3f} | {limit} |", flush=True)


ratio = lambda plain, observed: observed / plain
milliseconds = lambda plain, observed: (observed - plain) * 1000
print("| recorded against alone | median | 95 % interval | limit |")
print("|---|---|---|---|")
compare("100,000 empty operations, whole program", [scratch + "/Empty", "100000"], 1, ratio, "×", "1.10 ×")
compare("start of a program with Foundation", [scratch + "/Empty"], 20, milliseconds, "ms", "+15 ms")
compare("start of /bin/true", ["/bin/true"], 100, milliseconds, "ms", "+0.5 ms")
PYTHON
