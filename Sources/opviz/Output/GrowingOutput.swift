import EventLog
import Foundation

/// An output that is written piece by piece: a file, which gets its name only when it is complete, a device,
/// or standard output.
struct GrowingOutput {
    private enum Destination {
        case standardOutput
        /// A device or a pipe is written directly, because it cannot be replaced.
        case device(String)
        case file(NewFile, path: String)
    }

    private let destination: Destination
    private let descriptor: Int32
    /// The `errno` of the first error. Nothing more is written after that.
    private var failure: Int32 = 0

    /// - Parameter path: nil for standard output.
    /// - Throws: `CommandError` if the file cannot be created.
    init(path name: String?) throws {
        guard let name else {
            destination = .standardOutput
            descriptor = STDOUT_FILENO
            return
        }
        if OutputFile.isDevice(name) {
            destination = .device(name)
            descriptor = open(name, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Self.cannotCreate(name) }
            return
        }
        let path = OutputFile.target(of: name)
        let folder = OutputFolder.parent(of: path)
        guard OutputFolder.make(folder), let new = NewFile(in: folder) else {
            throw Self.cannotCreate(path)
        }
        destination = .file(new, path: path)
        descriptor = new.descriptor
    }

    /// Errors are available in ``error``, and thrown by ``finish()``.
    mutating func write(_ bytes: [UInt8]) {
        if failure == 0, !WholeBytes.write(bytes, to: descriptor) { failure = errno }
    }

    /// Whether the reader of standard output has gone away, as `head` does when it has its lines.
    var isUnread: Bool {
        if case .standardOutput = destination { return failure == EPIPE }
        return false
    }

    /// Why the output will not be complete; nil without an error so far.
    var error: CommandError? {
        guard failure != 0 else { return nil }
        let reason = String(cString: strerror(failure))
        switch destination {
        case .standardOutput:
            // The reader has what it wanted.
            return isUnread ? nil : CommandError(.inputOutput, "standard output: \(reason)")
        case .device(let path), .file(_, let path):
            return CommandError(.inputOutput, "\(path): cannot be written: \(reason)")
        }
    }

    /// Gives the file its name, and replaces an existing file. The output is closed even if this fails.
    ///
    /// - Throws: `CommandError` if something could not be written; an existing file then stays.
    func finish() throws {
        if let error {
            discard()
            throw error
        }
        switch destination {
        case .standardOutput: break
        case .device: close(descriptor)
        case .file(let new, let path):
            guard new.replace(path) else { throw Self.cannotCreate(path) }
        }
    }

    /// Keeps the previous file.
    func discard() {
        switch destination {
        case .standardOutput: break
        case .device: close(descriptor)
        case .file(let new, _): new.discard()
        }
    }

    private static func cannotCreate(_ path: String) -> CommandError {
        CommandError(.cannotCreate, "\(path): cannot be created: \(String(cString: strerror(errno)))")
    }
}
