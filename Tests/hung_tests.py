#!/usr/bin/env python3
"""Plants hangs in tests of Swift Testing and XCTest, one at a time, and expects that the first line that opviz record --deadline
prints names the culprit. hung_tests.py OPVIZ [FILTER]"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

DEADLINE = 4
LATENESS = 2

MANIFEST = """// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "Hung", targets: [.testTarget(name: "HungTests")], swiftLanguageModes: [.v5])
"""

SUPPORT = """import Foundation

actor Cache {
    private var waiting: [CheckedContinuation<Int, Never>] = []
    func lost() async -> Int { await withCheckedContinuation { waiting.append($0) } }
    func blocked() { blockForever() }
    func quick() {}
    /// Blocks until an operation has finished, which waits for a task that needs this actor.
    func flush() {
        let q = queue()
        q.addOperation(named("upload") { let done = DispatchSemaphore(value: 0); Task(name: "sender") { await self.quick(); done.signal() }; done.wait() })
        q.waitUntilAllOperationsAreFinished()
    }
}

@MainActor func refreshed() {
    let refresh = named("refresh") {}
    OperationQueue.main.addOperation(refresh)
    refresh.waitUntilFinished()
}

func blockForever() { DispatchSemaphore(value: 0).wait() }
nonisolated(unsafe) var keeps: [Any] = []

func download(_ done: @escaping @Sendable (Int) -> Void) { keeps.append(done) }
func downloaded() async throws -> Int { try await withCheckedThrowingContinuation { c in download { c.resume(returning: $0) } } }

/// Finishes when somebody says so, which nobody does.
final class Upload: Operation, @unchecked Sendable {
    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { true }
    override var isFinished: Bool { false }
    override func start() {}
}

func named(_ name: String, _ body: @escaping @Sendable () -> Void) -> BlockOperation {
    let operation = BlockOperation(block: body)
    operation.name = name
    return operation
}

func queue(_ limit: Int = 1) -> OperationQueue {
    let queue = OperationQueue()
    queue.name = "uploads"
    queue.maxConcurrentOperationCount = limit
    return queue
}

/// Returns when the queue is empty.
func emptied(_ queue: OperationQueue) async { await withCheckedContinuation { c in queue.addBarrierBlock { c.resume() } } }

final class Box<Value>: @unchecked Sendable { var value: Value?; init() {} }
"""

# What hangs: its body, and what the first line has to match.
HANGS = {
    "continuation": ("_ = await withCheckedContinuation { (c: CheckedContinuation<Int, Never>) in keeps.append(c) }",
                     r"awaited its continuation.* in \S*continuation\(\)"),
    "inActor": ("_ = await Cache().lost()", r"awaited its continuation.* in Cache\.lost\(\)"),
    "callback": ("_ = try? await downloaded()", r"awaited its continuation.* in downloaded\(\)"),
    "stream": ("for await _ in AsyncStream<Int>(unfolding: { await Cache().lost() }) {}", r"Cache\.lost\(\)"),
    "streamWithoutEnd": ("for await _ in AsyncStream<Int> { keeps.append($0) } {}", r"awaited its continuation"),
    "awaitedTask": ("_ = await Task(name: \"loader\") { await Cache().lost() }.value", r"loader .*awaited its continuation|: loader has awaited its continuation"),
    "groupChild": ("await withTaskGroup(of: Int.self) { g in for i in 0..<4 { g.addTask(name: \"page \\(i)\") { i == 2 ? await Cache().lost() : i } } }",
                   r": page 2\b.*awaited its continuation"),
    "asyncLet": ("async let one = Cache().lost(); async let two: Void = Cache().quick(); _ = await (one, two)", r"Cache\.lost\(\)"),
    "semaphore": ("blockForever()", r"has been running for .*which is blocked"),
    "semaphoreInTask": ("await Task(name: \"reader\") { blockForever() }.value", r": reader\b.*running for .*which is blocked"),
    "actorHeld": ("let cache = Cache(); async let a: Void = Task(name: \"holder\") { await cache.blocked() }.value; "
                  "try? await Task.sleep(for: .milliseconds(100)); await cache.quick(); await a", r": holder\b.*running for .*blocked"),
    "circle": ("let box = Box<Task<Void, Never>>(); let first = Task(name: \"first\") { try? await Task.sleep(for: .milliseconds(50)); "
               "await box.value?.value }; box.value = Task(name: \"second\") { await first.value }; await first.value",
               r"(first\b.* awaits second|second\b.* awaits first)"),
    "sleep": ("try? await Task.sleep(for: .seconds(3600))", r"has slept for"),
    "operationBlocks": ("let q = queue(); q.addOperation(named(\"upload\") { blockForever() }); "
                        "await emptied(q)", r"\bupload is still executing"),
    "operationNeverFinishes": ("let q = queue(); let o = Upload(); o.name = \"upload\"; q.addOperation(o); "
                               "await emptied(q)", r"\bupload is still executing"),
    "suspendedQueue": ("let q = queue(); q.isSuspended = true; q.addOperation(named(\"upload\") {}); "
                       "await emptied(q)", r"uploads.* suspended"),
    "dependencyCycle": ("let q = queue(); let a = named(\"a\") {}, b = named(\"b\") {}; a.addDependency(b); b.addDependency(a); "
                        "q.addOperations([a, b], waitUntilFinished: false); await emptied(q)",
                        r"\ba\b.*\bb\b"),
    "waitsInItsOwnQueue": ("let q = queue(); q.addOperation(named(\"outer\") { let inner = named(\"inner\") {}; q.addOperation(inner); "
                           "inner.waitUntilFinished() }); await emptied(q)",
                           r"outer blocks its thread until inner finishes"),
    "neverAdded": ("let q = queue(); let a = named(\"upload\") {}; a.addDependency(named(\"login\") {}); q.addOperation(a); "
                   "await emptied(q)", r"login"),
    "operationAwaitsTask": ("let q = queue(); q.addOperation(named(\"upload\") { let done = DispatchSemaphore(value: 0); "
                            "Task(name: \"sender\") { _ = await Cache().lost(); done.signal() }; done.wait() }); "
                            "await emptied(q)", r"upload is still executing"),
    "operationAwaitsActor": ("await Cache().flush()",
                             r": upload is still executing.* created task sender, sender needs actor Cache, which (.*) has, \1 blocks its thread "
                             r"until queue uploads is empty, and upload is in it: a deadlock if upload waits for sender"),
    "mainQueue": ("await refreshed()", r"deadlock: refresh needs the main thread, which (.*) has, \1 blocks its thread"),
    "dispatchGroup": ("let g = DispatchGroup(); g.enter(); _ = { g.wait() }()", r"has been running for .*which is blocked"),
    "lockTwice": ("let lock = NSLock(); _ = { lock.lock(); lock.lock() }()", r"has been running for .*which is blocked"),
    "poolStarved": ("await withTaskGroup(of: Void.self) { g in for i in 0..<64 { g.addTask(name: \"blocker \\(i)\") { blockForever() } } }",
                    r": blocker \d+\b.*running for .*which is blocked"),
    "loop": ("var x = 1; while x != 0 { x = x &* 3 | 1 }", r"has been running for .*on a CPU"),
    "mainActor": ("await MainActor.run { blockForever() }", r"has been running for .*which is blocked"),
}

# The same of tests that are not async, which only XCTest has, and which do not run in tasks.
SYNCHRONOUS = {
    "thread": ("blockForever()", r"main thread is blocked, in DispatchSemaphore\.wait\(\) ← blockForever\(\) ← XCTest_"),
    "threadLocks": ("let lock = NSLock(); lock.lock(); lock.lock()", r"main thread is blocked, in (NSLock\.lock\(\)|pthread_mutex_lock) ← XCTest_"),
    "threadWaits": ("let q = queue(); let o = Upload(); o.name = \"upload\"; q.addOperation(o); q.waitUntilAllOperationsAreFinished()",
                    r"\bupload is still executing"),
    "threadIsNeeded": ("let q = queue(); let update = named(\"update\") {}, save = named(\"save\") {}; save.addDependency(update); "
                       "OperationQueue.main.addOperation(update); q.addOperation(save); q.waitUntilAllOperationsAreFinished()",
                       r"deadlock: update needs the main thread, which is blocked until queue uploads is empty, and save is in it, save depends on update"),
}


def sources():
    swift = "import Foundation\nimport Testing\n\n@Suite struct Testing_ {\n"
    xctest = "import XCTest\n\nfinal class XCTest_: XCTestCase {\n"
    for name, (body, _) in HANGS.items():
        swift += f"    @Test func {name}() async {{ {body} }}\n"
        xctest += f"    func test_{name}() async {{ {body} }}\n"
    for name, (body, _) in SYNCHRONOUS.items():
        xctest += f"    func test_{name}() {{ {body} }}\n"
    return {"Package.swift": MANIFEST, "Tests/HungTests/Support.swift": SUPPORT,
            "Tests/HungTests/TestingTests.swift": swift + "}\n", "Tests/HungTests/XCTests.swift": xctest + "}\n"}


def main():
    opviz = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    right, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, text in sources().items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        subprocess.run(["swift", "build", "--build-tests", "-q"], cwd=folder, check=True)
        for framework in ("Testing_", "XCTest_"):
            hangs = HANGS | SYNCHRONOUS if framework == "XCTest_" else HANGS
            for name, (_, culprit) in hangs.items():
                test = f"{framework}/{'test_' if framework == 'XCTest_' else ''}{name}"
                if wanted not in test:
                    continue
                begin = time.monotonic()
                run = subprocess.run(
                    [opviz, "record", "--tasks", "-q", "--deadline", f"{DEADLINE}s", "-o", "traces/", "--",
                     "swift", "test", "--skip-build", "--filter", f"HungTests.{test}$" if framework == "XCTest_" else test + r"\("],
                    cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60)
                late = time.monotonic() - begin - DEADLINE
                first = next((line for line in run.stderr.splitlines() if "was ended at its deadline" in line), "")
                if run.returncode == 124 and late < LATENESS and re.search(culprit, first):
                    right += 1
                else:
                    wrong.append(test)
                    print(f"{test}: exits with {run.returncode}, {late:.1f} s late:\n{run.stderr}")
    print(f"{right} of {right + len(wrong)} culprits named" + "".join(f"\n  not {test}" for test in wrong))
    # Of fifty-four, two may stay in the dark.
    sys.exit(len(wrong) > 2)


main()
