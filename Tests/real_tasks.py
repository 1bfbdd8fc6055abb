#!/usr/bin/env python3
"""Runs programs of others with their tasks recorded: swift build, sourcekit-lsp in a session of requests, and the
example quotes, a server of FlyingFox with its clients. Each must do the same as alone. What is recorded must contain tasks
and contradict nothing; a task's parts must sum to its lifetime.
real_tasks.py OPVIZ [PROGRAM FOLDER]

With PROGRAM, runs only that one, and leaves its traces in FOLDER."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PACKAGE = {
    "Package.swift": """// swift-tools-version: 6.0
import PackageDescription
let package = Package(
    name: "Package", targets: [.target(name: "Library"), .executableTarget(name: "App", dependencies: ["Library"])])
""",
    "Sources/Library/Library.swift": "public func answer() -> Int { 42 }\n",
    "Sources/App/main.swift": "import Library\nprint(answer())\n",
}
PARTS = ["executorWait", "running", "awaitingTask", "awaitingGroup", "awaitingContinuation", "awaitingActor", "sleeping"]
RUNNING_PARTS = ["runningOnCPU", "runningWaitingForCPU", "runningBlocked", "runningUnmeasured"]
# A program may leave by `_exit`, which sourcekit-lsp does.
HARMLESS = re.compile(r"the log was not closed: ")


def package(folder):
    for name, text in PACKAGE.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def build(command, folder):
    """The status, and what the built program prints."""
    package(folder)
    status = subprocess.run(command + ["swift", "build", "-q"], cwd=folder, timeout=600).returncode
    return status, subprocess.run([folder / ".build/debug/App"], capture_output=True, text=True).stdout


class LanguageServer:
    def __init__(self, command, folder):
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last = 0

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        size = None
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                sys.exit("sourcekit-lsp: it ended before it had answered")
            name, value = line.split(b":", 1)
            if name.lower() == b"content-length":
                size = int(value)
        return json.loads(self.process.stdout.read(size))

    def ask(self, method, parameters):
        self.last += 1
        self.send(id=self.last, method=method, params=parameters)
        while True:
            message = self.receive()
            if "method" not in message and message.get("id") == self.last:
                return message.get("result")
            if "method" in message and "id" in message:
                self.send(id=message["id"], result=None)


def session(command, folder):
    """The status, and all answers."""
    package(folder)
    file = folder / "Sources/Library/Library.swift"
    document = {"uri": file.as_uri()}
    server = LanguageServer(command + ["sourcekit-lsp"], folder)
    server.ask("initialize", {"processId": os.getpid(), "rootUri": folder.as_uri(), "capabilities": {}})
    server.send(method="initialized", params={})
    item = {**document, "languageId": "swift", "version": 1, "text": file.read_text()}
    server.send(method="textDocument/didOpen", params={"textDocument": item})
    answers = []
    for _ in range(30):
        answers.append(server.ask("textDocument/documentSymbol", {"textDocument": document}))
        place = {"textDocument": document, "position": {"line": 0, "character": 13}}
        answers.append(server.ask("textDocument/hover", place))
        answers.append(server.ask("textDocument/foldingRange", {"textDocument": document}))
    server.ask("shutdown", None)
    server.send(method="exit")
    server.process.stdin.close()
    return server.process.wait(timeout=60), json.dumps(answers, sort_keys=True)


def serve(command, folder):
    """The status, and what the clients got from the server."""
    folder.mkdir()
    quotes = pathlib.Path(sys.argv[1]).resolve().parent / "quotes"
    run = subprocess.run(command + [quotes], cwd=folder, stdout=subprocess.PIPE, text=True, timeout=120)
    return run.returncode, run.stdout.splitlines()[:1]


def check(opviz, trace):
    """The number of tasks. Exits if something of them contradicts."""
    run = subprocess.run([opviz, "table", trace, "--by", "task", "--format", "json"], capture_output=True, text=True)
    complaints = [line for line in run.stderr.splitlines() if not HARMLESS.search(line)]
    if run.returncode or complaints:
        sys.exit(f"{trace}: opviz table ends with {run.returncode}: {complaints}")
    rows = json.loads(run.stdout)["rows"]
    lint = subprocess.run([opviz, "lint", trace, "--severity", "warning", "--strict"], capture_output=True, text=True)
    if lint.returncode:
        sys.exit(f"{trace}: opviz lint accuses a program that does its work:\n{lint.stdout}{lint.stderr}")
    for row in rows:
        parts = sum(row[part + "Ns"] for part in PARTS + ["unknown"])
        if parts != row["lifetimeNs"]:
            sys.exit(f"{trace}: the parts of {row['operation']} sum to {parts}, not {row['lifetimeNs']}")
        if "runningOnCPUNs" in row and sum(row[part + "Ns"] for part in RUNNING_PARTS) != row["runningNs"]:
            sys.exit(f"{trace}: the parts of the runs of {row['operation']} do not sum to {row['runningNs']}")
        if (row["outcome"] == "unfinished") != ("finishedNs" not in row):
            sys.exit(f"{trace}: {row['operation']} is {row['outcome']}, but finishes at {row.get('finishedNs')}")
    unknown = sum(row["unknownNs"] for row in rows)
    lifetime = sum(row["lifetimeNs"] for row in rows)
    if unknown * 100 > lifetime:
        sys.exit(f"{trace}: of {lifetime} ns of lifetimes, {unknown} ns are unknown")
    unfinished = sum(row["outcome"] == "unfinished" for row in rows)
    print(f"{trace.stem}: {len(rows)} tasks, {unfinished} not finished; {unknown} ns of {lifetime} ns unknown")
    return len(rows)


def main():
    opviz = os.path.abspath(sys.argv[1])
    chosen, kept = (*sys.argv[2:4], None, None)[:2]
    for name, program in [("swift build", build), ("sourcekit-lsp", session), ("quotes", serve)]:
        if chosen not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch).resolve()
            # The same folder twice, so that answers have the same paths.
            folder, traces = scratch / "package", pathlib.Path(kept).resolve() if kept else scratch / "traces"
            alone = program([], folder)
            subprocess.run(["rm", "-rf", folder], check=True)
            recorded = program([opviz, "record", "--tasks", "-q", "-o", f"{traces}/", "--"], folder)
            if alone != recorded:
                sys.exit(f"{name}: it answers {recorded} when it is recorded, and alone {alone}")
            if not sum(check(opviz, trace) for trace in sorted(traces.iterdir())):
                sys.exit(f"{name}: no task was recorded")


main()
