import EventLog
import InspectorTraces
import MemorySearch

/// What this machine allows to be recorded, found out as `opviz record` does.
package enum MachineSetup {
    package static var checks: [SetupCheck] { [library] + kernel + [search, memory] }

    private static var library: SetupCheck {
        do {
            return SetupCheck(SetupCheck.library, try RecordLibrary.find())
        } catch {
            let sentence = (error as? RecordingError)?.sentence ?? "\(error)"
            return SetupCheck(SetupCheck.library, RecordingObstacle(reason: sentence, remedy: nil))
        }
    }

    /// What the kernel records.
    private static var kernel: [SetupCheck] {
        func obstacle(_ open: () throws(KernelRecorder.Refusal) -> KernelRecorder) -> RecordingObstacle? {
            do throws(KernelRecorder.Refusal) {
                _ = try open()
                return nil
            } catch {
                return RecordingObstacle(reason: error.reason, remedy: error.remedy)
            }
        }
        var seesKernel = false
        let switches = obstacle { () throws(KernelRecorder.Refusal) in try KernelRecorder() }
        let samples = obstacle { () throws(KernelRecorder.Refusal) in
            let recorder = try KernelRecorder(switches: false, rate: KernelRecorder.usualRate)
            seesKernel = recorder.seesKernel
            return recorder
        }
        let inKernel =
            samples
            ?? (seesKernel
                ? nil
                : RecordingObstacle(
                    reason: KernelRecorder.reasonWithoutKernel,
                    remedy: "sudo sysctl kernel.perf_event_paranoid=1"))
        return [
            SetupCheck(RecordedSources.switches, switches),
            SetupCheck(RecordedSources.samples, samples, note: "with --profile"),
            SetupCheck(RecordedSources.samplesInKernel, inKernel, note: "with --profile"),
        ]
    }

    /// Of the threads and the memory of a process.
    private static var search: SetupCheck {
        SetupCheck(
            "programs that already run",
            TracePermission.obstacle.map {
                RecordingObstacle(reason: $0, remedy: "sudo sysctl kernel.yama.ptrace_scope=0")
            }, note: "with watch PID and --prove")
    }

    private static var memory: SetupCheck {
        let what = "memory for a trace"
        func text(_ bytes: Int) -> String { "\(Prose.grouped(bytes >> 20)) MiB" }
        guard let available = AvailableMemory.bytes else {
            return SetupCheck(what, unknownBecause: "the system does not say how much is free")
        }
        let most = Int(TraceLimit.usual)
        let note = "\(text(available)) are free; a trace may take \(text(most))"
        return SetupCheck(
            what,
            available < most ? RecordingObstacle(reason: note, remedy: "opviz record --limit 64M") : nil,
            note: note)
    }
}
