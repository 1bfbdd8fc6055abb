import EventLog
import Foundation
import Testing

@testable import MemorySearch

/// Of each kind of suspended task. More in soak tests.
private let count = ProcessInfo.processInfo.environment["OPVIZ_STUCK_TASKS"].flatMap { Int($0) } ?? 100

@Suite(.serialized, .enabled(if: mayTrace, "needs permission to trace processes"))
struct ResumeSearchTests {
    @Test func lostContinuationsAreProvenAndNoneThatSomethingCouldResumeIsAccused() throws {
        let victim = try StuckVictim(count: count)
        let search = try ResumeSearch(process: victim.process, available: nil)
        #expect(search.unseen == nil)
        #expect(search.size > 1 << 20)
        var unproven: [String] = []
        for (task, kind) in victim.tasks {
            let verdict = search.verdict(of: OperationID(task))
            if kind.hasPrefix("kept") {
                #expect(verdict != .unreachable, "\(kind) \(task)")
            } else if verdict != .unreachable {
                unproven.append("\(kind) \(task) \(verdict)")
            }
        }
        let lost = victim.tasks.values.count { $0.hasPrefix("lost") }
        #expect(lost == 12 * count)
        // What was left in memory can look like a reference.
        #expect(unproven.count * 50 <= lost, "\(unproven)")
        if count > 20 {
            let accused = "0 of \(victim.tasks.count - lost) accused"
            print("\(unproven.count) of \(lost) lost ones not proven, \(accused)")
            print("\(search.size >> 20) MB in \(Double(search.standstill) / 1e6) ms")
        }
    }

    @Test(arguments: [
        ("kept-array", "an object of type Shared"), ("kept-chain", "an object of type Holder"),
        ("kept-timer", "a timer, a queue or a source of Dispatch"), ("kept-epoll", "what epoll watches"),
        ("kept-kernel-timer", "a timer"),
    ])
    func whatHoldsAContinuationIsNamed(kind: String, holder: String) throws {
        let victim = try StuckVictim(count: 4)
        let search = try ResumeSearch(process: victim.process, available: nil)
        let verdicts = victim.tasks.filter { $0.value == kind }.map {
            search.verdict(of: OperationID($0.key))
        }
        #expect(verdicts.count == 4)
        // Another holder may have been left on a stack.
        #expect(verdicts.count { $0 == .held(by: holder) } >= 2, "\(verdicts)")
    }

    @Test func eachSuspendedTaskIsListedWithWhatItAwaitsAndTheFunctionsInWhichItDoes() throws {
        let victim = try StuckVictim(count: 2)
        let search = try ResumeSearch(process: victim.process, available: nil, listsTasks: true)
        let tasks = try #require(search.tasks)
        func found(_ kind: String) -> [SuspendedTask] {
            let numbers = Set(victim.tasks.filter { $0.value == kind }.map { UInt32($0.key) })
            return tasks.filter { numbers.contains($0.number) }
        }
        let inActor = found("lost-actor")
        #expect(inActor.map(\.reason) == [.continuation, .continuation])
        #expect(inActor.map(\.verdict) == [.unreachable, .unreachable])
        #expect(inActor.allSatisfy { $0.functions.first == "Cache.value()" })
        #expect(found("kept-sleep").map(\.reason) == [.sleep, .sleep])
        let parents = tasks.filter { if case .task(.some) = $0.reason { true } else { false } }
        let numbers = Set(tasks.map(\.number))
        #expect(parents.count >= 4)
        for case .task(let awaited?) in parents.map(\.reason) { #expect(numbers.contains(awaited)) }
        #expect(tasks.contains { $0.reason == .group })
    }

    @Test func theProgramGoesOnAfterASearchAsIfNothingHadBeen() throws {
        let victim = try StuckVictim(count: 1)
        for round in 0..<5 {
            _ = try ResumeSearch(process: victim.process, available: nil)
            #expect(try victim.echo("round \(round)") == "echo round \(round), 0 interruptions")
        }
        let status = try String(contentsOfFile: "/proc/\(victim.process)/status", encoding: .utf8)
        #expect(status.contains("TracerPid:\t0"))
    }

    @Test func aProgramThatIsTracedAlreadyIsLeftAlone() throws {
        let victim = try StuckVictim(count: 1)
        let refusal = try OwnThread.run {
            try StoppedThreads.during(victim.process) { _ in
                do {
                    _ = try ResumeSearch(process: victim.process, available: nil)
                    return ""
                } catch {
                    return "\(error)"
                }
            }
        }
        #expect(refusal == "a debugger or another tracer is attached to it")
        #expect(try victim.echo("hello") == "echo hello, 0 interruptions")
    }

    @Test func aProgramThatUsesMoreMemoryThanThereIsIsNotSearched() throws {
        let victim = try StuckVictim(count: 1)
        let error = #expect(throws: SearchRefusal.self) {
            try ResumeSearch(process: victim.process, available: 1 << 20)
        }
        #expect(error?.description == "there is not enough memory for a copy of its memory")
        #expect(try victim.echo("hello") == "echo hello, 0 interruptions")
    }

    @Test func aProcessThatHasEndedIsRefused() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        try process.run()
        process.waitUntilExit()
        #expect(throws: SearchRefusal.self) {
            try ResumeSearch(process: process.processIdentifier, available: nil)
        }
    }

    @Test func aProgramWithoutSwiftTasksIsRefusedWithoutStoppingIt() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sleep")
        process.arguments = ["60"]
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        let error = #expect(throws: SearchRefusal.self) {
            try ResumeSearch(process: process.processIdentifier, available: nil)
        }
        #expect(error?.description == "its Swift runtime does not say what a task looks like")
    }
}
