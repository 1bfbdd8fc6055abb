#!/bin/bash
# The cost of `opviz watch`: opviz itself on a terminal, as a share of a core, for an idle program, for one
# with 10,000 operations a second, and for one that uses a whole core. Also the watched program, with and
# without a watcher.
#
# Measures processor time. The watched program is measured in blocks ABBA, so that a busy machine affects
# both. watching.sh [SECONDS [PAIRS]]
set -euo pipefail
export OPVIZ_DEVELOPMENT=1
cd "$(dirname "$0")/.."

if [ -z "${OPVIZ:-}" ]; then
    swift build -c release --static-swift-stdlib --product opviz >/dev/null
    swift build -c release --product RecordingVictim >/dev/null
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
OPVIZ=${OPVIZ:-.build/release/opviz} SERVICE=${SERVICE:-.build/release/RecordingVictim} \
    python3 - "$scratch" "${1:-60}" "${2:-6}" <<'PYTHON'
import os, pty, statistics, subprocess, sys, threading, time

scratch, seconds, pairs = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
opviz, program = os.environ["OPVIZ"], os.environ["SERVICE"]
tick = os.sysconf("SC_CLK_TCK")
number = 0


def processor(pid):
    """Seconds that the process has been on a processor: of all its threads, to the nanosecond."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        total += int(open(f"/proc/{pid}/task/{thread}/schedstat").read().split()[0])
    return total / 1e9


class Service:
    def __init__(self, *lines):
        global number
        number += 1
        self.log = f"{scratch}/{number}.optrace"
        self.process = subprocess.Popen([program, "service"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, "OPVIZ_TRACE": self.log}, text=True)
        for line in ["add net fetch", "add net parse fetch", *lines]:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            self.process.stdout.readline()

    def end(self):
        self.process.kill()
        self.process.wait()
        os.remove(self.log)


class Watcher:
    def __init__(self, log):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm"
            os.execv(opviz, [opviz, "watch", "-q", log])
        self.text = b""
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            while bytes := os.read(self.terminal, 65536):
                self.text = (self.text + bytes)[-200000:]
        except OSError:
            pass

    def end(self):
        os.write(self.terminal, b"q")
        os.waitpid(self.pid, 0)


def share(pid, duration):
    start, begin = processor(pid), time.monotonic()
    time.sleep(duration)
    return (processor(pid) - start) / (time.monotonic() - begin) * 100


print(f"| opviz watch, over {seconds:.0f} s | of a core | limit |")
print("|---|---|---|")
for name, lines in [("of a program that does nothing", []), ("of one with 10,000 operations a second", ["load 10000"]),
                    ("of one that records as fast as it can", ["load 0"])]:
    service = Service(*lines)
    watcher = Watcher(service.log)
    time.sleep(3)
    used = share(watcher.pid, seconds)
    print(f"| {name} | {used:.2f} % | 5 % |", flush=True)
    if lines == ["load 0"]:
        told = watcher.text.decode(errors="replace")
        left_out = "left out" in told or "behind by" in told
        print(f"\nThe last of these was {'too fast: records were left out' if left_out else 'read whole'}.")
    watcher.end()
    service.end()

block = max(5, seconds / 6)
ratios = []
service = Service("load 10000")
time.sleep(1)
for _ in range(pairs):
    costs = {True: [], False: []}
    for is_watched in (False, True, True, False):
        watcher = Watcher(service.log) if is_watched else None
        if watcher:
            time.sleep(1)
        costs[is_watched].append(share(service.process.pid, block))
        if watcher:
            watcher.end()
    ratios.append(statistics.mean(costs[True]) - statistics.mean(costs[False]))
service.end()
ratios.sort()
print(f"\nThe watched program, 10,000 operations a second: {statistics.median(ratios):+.2f} % of a core with a watcher "
      f"({ratios[0]:+.2f} to {ratios[-1]:+.2f} in {pairs} blocks ABBA); limit 1 %.")
PYTHON
