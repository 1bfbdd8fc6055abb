import CRecordHost
import EventLog
import InspectorTraces

/// What can be recorded of a program.
package enum ProgramSetup {
    package static func checks(_ program: RecordableProgram) throws -> [SetupCheck] {
        if let obstacle = program.obstacle { return [SetupCheck(SetupCheck.operations, obstacle)] }
        if let reason = program.reasonNotToProbe {
            return [SetupCheck(SetupCheck.operations, unknownBecause: reason)]
        }
        do {
            let probe = try ProgramProbe(program)
            return [operations(probe), tasks(probe)] + functions(program.path, probe)
        } catch let failure as ProgramProbe.Failure {
            return [SetupCheck(SetupCheck.operations, unknownBecause: failure.reason)]
        }
    }

    private static func operations(_ probe: ProgramProbe) -> SetupCheck {
        if let reason = probe.guest?.obstacle {
            let isStripped = probe.guest?.state == RECORD_STATE_STRIPPED
            return SetupCheck(
                SetupCheck.operations,
                RecordingObstacle(
                    reason: reason,
                    remedy: isStripped ? "link without -s, and do not strip it" : "embed the library Ops"))
        }
        if !probe.hasFoundation {
            return SetupCheck(
                SetupCheck.operations,
                RecordingObstacle(
                    reason: "it is not linked with Foundation, which has OperationQueue", remedy: nil))
        }
        return SetupCheck(
            SetupCheck.operations,
            probe.isFoundationStatic
                ? "not those in queues of final classes, because Foundation is linked statically" : nil)
    }

    private static func tasks(_ probe: ProgramProbe) -> SetupCheck {
        if let reason = probe.guest?.obstacle { return SetupCheck("tasks", unknownBecause: reason) }
        let obstacle: RecordingObstacle? =
            if let reason = probe.guest?.obstacleForTasks {
                RecordingObstacle(reason: reason, remedy: "link without -static-stdlib")
            } else if probe.guest?.hasObservedTasks == true {
                nil
            } else {
                RecordingObstacle(reason: "it is not linked with Swift concurrency", remedy: nil)
            }
        return SetupCheck("tasks", obstacle, note: "with --tasks")
    }

    /// Names of functions, and their callers.
    private static func functions(_ path: String, _ probe: ProgramProbe) -> [SetupCheck] {
        let form = ProgramForm(path: path)
        let isStatic =
            probe.isFoundationStatic || probe.guest?.obstacleForTasks != nil
            || probe.guest?.state == RECORD_STATE_STRIPPED
        // Most functions in such a file are those of Swift's libraries.
        let frames =
            switch isStatic ? nil : form?.lacksFrames {
            case nil:
                SetupCheck(
                    RecordedSources.callers, unknownBecause: "its own code cannot be told apart, or read")
            case true?:
                SetupCheck(
                    RecordedSources.callers,
                    RecordingObstacle(
                        reason: StackSamples.reasonWithoutCallers, remedy: StackSamples.remedy))
            case false?: SetupCheck(RecordedSources.callers, "with --profile")
            }
        return [
            SetupCheck(
                RecordedSources.names,
                form?.isStripped == true
                    ? RecordingObstacle(reason: RecordedSources.reasonWithoutNames, remedy: "do not strip it")
                    : nil),
            frames,
        ]
    }
}
