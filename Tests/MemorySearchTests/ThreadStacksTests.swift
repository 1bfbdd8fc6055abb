import Foundation
import Testing

@testable import EventLog
@testable import MemorySearch

@Suite(.serialized, .enabled(if: mayTrace, "needs permission to trace processes"))
struct ThreadStacksTests {
    @Test func eachThreadOfARunningProcessIsSeenWithTheFunctionsThatItIsIn() throws {
        let victim = try StuckVictim(count: 1)
        let stacks = try ThreadStacks(process: victim.process)
        let places = stacks.threads.map { ThreadPlace($0.frames) }
        #expect(stacks.threads.first?.number == victim.process)
        // Through the C library, which has no frame pointers, and Swift's.
        #expect(places.first?.functions.first == "readLine(strippingNewline:)")
        #expect(stacks.threads.first?.frames.last?.function == "_start")
        #expect(places.contains { $0.functions.first == "epoll_wait" && $0.functions.count == 2 })
        #expect(places.count { $0.called == "DispatchSemaphore.wait()" && !$0.own.isEmpty } >= 5)
        #expect(stacks.threads.allSatisfy { $0.frames.count > 2 })
    }

    @Test func theProgramGoesOnAfterALookAsIfNothingHadBeen() throws {
        let victim = try StuckVictim(count: 1)
        for round in 0..<5 {
            #expect(try ThreadStacks(process: victim.process).standstill > 0)
            #expect(try victim.echo("round \(round)") == "echo round \(round), 0 interruptions")
        }
    }

    @Test func aProcessThatHasEndedIsRefused() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        try process.run()
        process.waitUntilExit()
        #expect(throws: SearchRefusal.self) { try ThreadStacks(process: process.processIdentifier) }
    }

    @Test func aProgramWithoutSwiftIsSeenToo() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sleep")
        process.arguments = ["60"]
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        // It becomes that program only after it was started.
        for _ in 0..<100 {
            let frames = try ThreadStacks(process: process.processIdentifier).threads.first?.frames ?? []
            if frames.first?.function?.contains("nanosleep") == true {
                #expect(frames.contains { $0.function == "__libc_start_main" })
                return
            }
            usleep(20_000)
        }
        Issue.record("it never slept")
    }
}

@Suite struct ThreadPlaceTests {
    private func frame(_ function: String?, _ module: String = "/app/server") -> StackFrame {
        StackFrame(function: function, module: module)
    }
    private let c = "/lib/libc.so.6"
    private let dispatch = "/usr/lib/libdispatch.so"

    @Test func whatTheProgramCalledLastComesFirstAndWhatLeadsToItsWorkIsLeftOut() {
        let place = ThreadPlace([
            frame(nil, c), frame("_dispatch_sema4_wait", dispatch),
            frame("_dispatch_semaphore_wait_slow", dispatch), frame("Config.load()"), frame("fetch(_:)"),
            frame("swift_job_run", "/usr/lib/libswift_Concurrency.so"), frame("_dispatch_worker_thread"),
            frame(nil, c),
        ])
        #expect(place.functions == ["DispatchSemaphore.wait()", "Config.load()", "fetch(_:)"])
        #expect(place.work == .task)
    }

    @Test func aProgramWithSwiftInItsOwnFileIsReadTheSameWay() {
        let place = ThreadPlace([
            frame(nil, c), frame("_dispatch_group_wait_slow"), frame("Upload.main()"),
            frame("Operation.start()"), frame("OperationQueue._execute(_:)"),
            frame("_dispatch_worker_thread"),
        ])
        #expect(place.functions == ["DispatchGroup.wait()", "Upload.main()"])
        #expect(place.work == .operation)
    }

    @Test func aThreadOfAPoolWithoutWorkIsInNoFunctionOfTheProgram() {
        let place = ThreadPlace([
            frame(nil, c), frame("_dispatch_semaphore_wait_slow"), frame("_dispatch_worker_thread"),
            frame("start_thread", c),
        ])
        #expect(place.functions.isEmpty)
        #expect(place.work == .other)
    }
}
