#!/bin/bash
# The cost of opviz report: creating the page for 100,000 operations, its size, and how the time grows. Also
# the page in a headless Chromium: how soon it is usable, and how long a step of zooming takes until it is
# drawn.
#
# Exits with 1 if a figure is missed. report.sh [OPERATIONS]
set -euo pipefail
cd "$(dirname "$0")/.."

swift build -c release --static-swift-stdlib --product opviz >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
OPVIZ=${OPVIZ:-.build/release/opviz} python3 - "$scratch" "${1:-100000}" <<'PYTHON'
import json, os, shutil, statistics, subprocess, sys, threading, time

scratch, count = sys.argv[1], int(sys.argv[2])
missed = False


def row(name, value, unit, limit):
    global missed
    missed = missed or value > limit
    print(f"| {name} | {value:.4g} {unit} | {limit} {unit} |", flush=True)


def page(shape, count):
    """The page's path, and the seconds that making it took, the least of three."""
    path = f"{scratch}/{shape}-{count}"
    subprocess.run([sys.executable, "Benchmarks/make-trace.py", shape, str(count), path + ".json"], check=True)
    subprocess.run([os.environ["OPVIZ"], "convert", path + ".json", "-o", path + ".optrace"], check=True)
    os.remove(path + ".json")
    samples = []
    for _ in range(3):
        begin = time.monotonic()
        subprocess.run(
            [os.environ["OPVIZ"], "report", path + ".optrace"], check=True, stdout=subprocess.DEVNULL)
        samples.append(time.monotonic() - begin)
    return path + ".html", min(samples)


class Browser:
    """Chromium over its debugging pipe."""

    def __init__(self):
        chromium = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])))
        self.process = subprocess.Popen(
            ["sh", "-c", f"exec {chromium} --headless --no-sandbox --disable-gpu --disable-dev-shm-usage"
             " --remote-debugging-pipe --user-data-dir=\"$0\" about:blank 3<&0 4>&1 0</dev/null 1>/dev/null 2>&1",
             scratch + "/profile"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        # Ends a browser that hangs, and with it this script.
        self.guardian = threading.Timer(300, self.process.kill)
        self.guardian.start()
        self.heard, self.last, self.session = b"", 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=1600, height=1000, deviceScaleFactor=1, mobile=False)

    def message(self):
        while b"\0" not in self.heard:
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            if not more:
                sys.exit("the browser ended")
            self.heard += more
        message, self.heard = self.heard.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        self.process.stdin.flush()
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                return answer["result"]

    def open(self, path):
        self.call("Page.navigate", url="file://" + path)
        while self.message().get("method") != "Page.loadEventFired":
            pass

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        return answer["result"]["value"]

    def end(self):
        self.guardian.cancel()
        self.process.kill()
        self.process.wait()


# The time from the zoom to when the browser has drawn the frame.
ZOOM = """(async () => {
    const times = [];
    for (let step = 0; step < 100; step += 1) {
        const begin = performance.now();
        opviz.zoom("%s", step %% 4 < 2 ? 1.3 : 1 / 1.3);
        await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
        times.push(performance.now() - begin);
    }
    return times;
})()"""

print("| figure | measured | limit |")
print("|---|---|---|")
small, fast = page("random", count // 10)
large, slow = page("random", count)
row(f"opviz report, {count} operations", slow, "s", 5)
row(f"{count} ÷ {count // 10} operations", slow / fast, "×", 12)
row("size of the page", os.path.getsize(large) / 1e6, "MB", 8)
row(f"size of the page of {10 * count}, of which it has a part", os.path.getsize(page("random", 10 * count)[0]) / 1e6, "MB", 15)
pages = [("random", large)]
for shape in ["chain", "plain"]:
    path, seconds = page(shape, count)
    row(f"{shape}: opviz report", seconds, "s", 5)
    pages.append((shape, path))
browser = Browser()
try:
    for shape, path in pages:
        times = []
        for _ in range(3):
            browser.open(path)
            times.append(browser.evaluate("opviz.interactive"))
        row(f"{shape}: until the page can be used", min(times) / 1e3, "s", 1)
        for pane in ["graph", "timeline"]:
            # A frame of a browser takes 16.7 ms.
            steps = sorted(browser.evaluate(ZOOM % pane))
            row(f"{shape}: a step of zooming, {pane}, median", statistics.median(steps), "ms", 17)
            row(f"{shape}: a step of zooming, {pane}, 99 %", steps[int(len(steps) * 0.99) - 1], "ms", 50)
finally:
    browser.end()
sys.exit(1 if missed else 0)
PYTHON
