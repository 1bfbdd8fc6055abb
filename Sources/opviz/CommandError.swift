import ArgumentParser
import Foundation
import GraphvizRendering
import Inspector

/// The ways in which a command fails, and the exit code of each (those of sysexits.h).
struct CommandError: Error {
    enum Status: Int32 {
        case usage = 64
        case data = 65
        case noInput = 66
        case commandFailed = 69
        case software = 70
        case cannotCreate = 73
        case inputOutput = 74
        // Those of a shell, for a program that it is to run.
        case programNotRunnable = 126
        case programMissing = 127
    }

    let status: Status
    let sentence: String

    init(_ status: Status, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    init(_ error: TraceError) {
        let status: Status =
            switch error.code {
            case .noSuchFile: .noInput
            case .unreadable, .tooLarge: .inputOutput
            default: .data
            }
        self.init(status, error.description)
    }

    init(_ error: BudgetsError) {
        let status: Status =
            switch error.code {
            case .noSuchFile: .noInput
            case .unreadable: .inputOutput
            default: .data
            }
        self.init(status, error.description)
    }

    init(_ error: GraphError) { self.init(.usage, error.description) }

    init(_ error: RenderingError) {
        self.init(error.code == .unavailable ? .usage : .software, error.description)
    }

    /// Runs `body`; what fails is said in one sentence on standard error.
    static func reported(_ body: () throws -> Void) throws {
        defer { Progress.end() }
        do {
            try body()
        } catch let error as CommandError {
            throw error.exit()
        } catch let error as TraceError {
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
        Console.complain(sentence)
        return ExitCode(status.rawValue)
    }
}
