import ArgumentParser
import Foundation
import GraphvizRendering
import Inspector
import ProgramRecording

/// Why a command fails, in one sentence, and the exit status of opviz.
struct CommandError: Error {
    let status: ExitStatus
    let sentence: String

    init(_ status: ExitStatus, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    init(_ error: TraceError) {
        let status: ExitStatus =
            switch error.code {
            case .noSuchFile: .noInput
            case .unreadable, .tooLarge: .inputOutput
            default: .data
            }
        if error.code == .notATrace, RecordableProgram.isProgram(error.path) {
            let path = error.path.contains("/") ? error.path : "./" + error.path
            self.init(
                status,
                "\(error.path): is a program, not a trace; to record it: opviz record -- "
                    + ShellText.quoted(path))
            return
        }
        let hint = error.code == .noSuchFile ? FolderFile.hint(to: error.path) : ""
        self.init(status, error.description + hint)
    }

    init(_ error: BudgetsError) {
        let status: ExitStatus =
            switch error.code {
            case .noSuchFile: .noInput
            case .unreadable: .inputOutput
            default: .data
            }
        self.init(status, error.description)
    }

    init(_ error: RecordingError) {
        let status: ExitStatus =
            switch error.reason {
            case .usage: .usage
            case .incomplete: .software
            case .cannotCreate: .cannotCreate
            case .notRunnable: .programNotRunnable
            case .missing: .programMissing
            }
        self.init(status, error.sentence)
    }

    init(_ error: GraphError) { self.init(.usage, error.description) }

    init(_ error: RenderingError) {
        self.init(error.code == .unavailable ? .usage : .software, error.description)
    }

    /// What `body` returns.
    ///
    /// - Throws: a usage error that begins with the trace's path where something is not in the trace.
    static func naming<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as GraphError {
            throw CommandError(.usage, "\(path): \(error.description)")
        }
    }

    /// Runs `body`. Reports an error in one sentence on standard error.
    static func reported(_ body: () throws -> Void) throws {
        defer { Progress.end() }
        do {
            try body()
        } catch let error as CommandError {
            throw error.exit()
        } catch let error as TraceError {
            throw CommandError(error).exit()
        } catch let error as RecordingError {
            throw CommandError(error).exit()
        } catch let error as BudgetsError {
            throw CommandError(error).exit()
        } catch let error as GraphError {
            throw CommandError(error).exit()
        } catch let error as RenderingError {
            throw CommandError(error).exit()
        }
    }

    private func exit() -> ExitCode {
        Console.report(sentence)
        return status.code
    }
}
