import CRecorder
import EventLog
import Foundation
import Inspector
import Testing

@testable import Ops

@Suite("The limits of the processors of a program")
struct ProcessorLimitTests {
    /// The quota in thousandths, with a file of groups and the files of a hierarchy.
    private func quota(_ groups: String, _ files: [String: String]) throws -> UInt32 {
        let folder = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (path, content) in files {
            let file = URL(fileURLWithPath: folder + "/fs/" + path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(content.utf8).write(to: file)
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(groups.utf8).write(to: URL(fileURLWithPath: folder + "/cgroup"))
        return recorder_processor_quota(folder + "/cgroup", folder + "/fs")
    }

    @Test("the limits of version 2 are the smallest quota of the group and those around it")
    func version2() throws {
        let files = [
            "cpu.max": "max 100000\n", "pod/cpu.max": "150000 100000\n", "pod/app/cpu.max": "max 100000\n",
            "pod/small/cpu.max": "5000 10000\n", "other/cpu.max": "1000 100000\n",
        ]
        #expect(try quota("0::/\n", files) == 0)
        #expect(try quota("0::/pod\n", files) == 1500)
        #expect(try quota("0::/pod/app\n", files) == 1500)
        #expect(try quota("0::/pod/small\n", files) == 500)
        // The root of a container has a quota, too.
        #expect(try quota("0::/\n", ["cpu.max": "200000 100000\n"]) == 2000)
        // The path is that of the machine, of which a container sees its own part.
        #expect(try quota("0::/docker/1f\n", ["cpu.max": "25000 100000\n"]) == 250)
        #expect(try quota("0::/../../other\n", files) == 0)
    }

    @Test("the limits of version 1 are those of the hierarchy that has the controller of CPU time")
    func version1() throws {
        let files = [
            "cpu,cpuacct/cpu.cfs_quota_us": "-1\n", "cpu,cpuacct/cpu.cfs_period_us": "100000\n",
            "cpu,cpuacct/app/cpu.cfs_quota_us": "50000\n", "cpu,cpuacct/app/cpu.cfs_period_us": "20000\n",
            "memory/app/cpu.cfs_quota_us": "1\n", "memory/app/cpu.cfs_period_us": "20000\n",
        ]
        #expect(try quota("12:memory:/app\n4:cpu,cpuacct:/app\n1:name=systemd:/\n0::/\n", files) == 2500)
        #expect(try quota("12:memory:/app\n4:cpu,cpuacct:/\n", files) == 0)
        #expect(try quota("4:cpuset,cpuacct:/app\n", files) == 0)
    }

    @Test(
        "the limits are none if the files are missing or say nonsense",
        arguments: [
            "", "\n\n", "0", "0:", "0:cpu", "0::", "::/", "0::/" + String(repeating: "a/", count: 4_000),
        ])
    func nonsense(groups: String) throws {
        #expect(try quota(groups, [:]) == 0)
        for content in ["", "max", "max max", "100000", "100000 0", "-5 -5", "99999999999999999999 1", "x y"]
        {
            #expect(try quota(groups, ["cpu.max": content]) == 0, "\(content)")
        }
        #expect(recorder_processor_quota("/nowhere/cgroup", "/nowhere") == 0)
    }

    @Test("the limits are in the header again after a change of the affinity mask, and only then")
    func affinity() throws {
        func header(_ change: () throws -> Void) throws -> LogHeader {
            let path = temporaryPath() + ".optrace"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
            let log = try RecordLog(descriptor: descriptor, clock: .system, limit: nil, reserve: 0)
            try change()
            close(try log.seal())
            return try TraceReader(path: path).events().header
        }
        let unchanged = try #require(try header {}.processors)
        #expect(unchanged.usableLater == nil)
        #if os(Linux)
            guard unchanged.usable > 1 else { return }
            let mask = try taskset([])
            defer { _ = try? taskset([mask]) }
            let last = mask.split(separator: ",").last.flatMap { UInt64($0, radix: 16) } ?? 0
            // None of the first processors is usable.
            guard last > 0 else { return }
            let lowest = String(last & ~(last - 1), radix: 16)
            let changed = try header { _ = try taskset([lowest]) }
            #expect(changed.processors?.usable == unchanged.usable)
            #expect(changed.processors?.usableLater == 1)
        #endif
    }

    /// The affinity mask of this process, in hexadecimal digits; with an argument, it is set before.
    private func taskset(_ mask: [String]) throws -> String {
        func run(_ arguments: [String]) throws -> String {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
            process.arguments = ["-p"] + arguments + ["\(getpid())"]
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            return text
        }
        if !mask.isEmpty { _ = try run(mask) }
        let words = try run([]).split(whereSeparator: \.isWhitespace)
        return String(try #require(words.last))
    }
}
