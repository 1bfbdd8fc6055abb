import CRecorder
import Foundation
import Synchronization

/// The recorders whose logs the program has not closed; they are closed when it exits.
enum OpenLogs {
    private static let recorders = Locked<[ObjectIdentifier: Recorder]>([:])

    private static let handler: Void = {
        atexit {
            guard !Fork.isChild else { return }
            for recorder in OpenLogs.recorders.withLock({ Array($0.values) }) {
                do {
                    try recorder.stop()
                } catch {
                    FileHandle.standardError.write(Data("opviz: the log is incomplete: \(error)\n".utf8))
                }
            }
        }
    }()

    static func closeAtExit(_ recorder: Recorder) {
        _ = handler
        recorders.withLock { $0[ObjectIdentifier(recorder)] = recorder }
    }
}

/// Whether this process came out of `fork` without `exec`. It shares the file with its parent, which goes on
/// writing; and libdispatch does not work in it. So it records nothing.
enum Fork {
    private static let flag = Atomic(false)

    private static let handler: Void = {
        pthread_atfork(nil, nil, { Fork.flag.store(true, ordering: .relaxed) })
    }()

    static var isChild: Bool { flag.load(ordering: .relaxed) }

    static func watch() { _ = handler }
}

/// What the environment asks for.
enum Environment {
    /// The file to record to. Nil, too, in a program that runs with another user's rights.
    static var tracePath: String? {
        guard let value = recorder_environment("OPVIZ_TRACE") else { return nil }
        let path = String(cString: value)
        return path.isEmpty ? nil : path
    }
}
