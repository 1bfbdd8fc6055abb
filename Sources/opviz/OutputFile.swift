import Foundation

/// Where a command's output goes: a file that appears only when it is whole, or standard output.
struct OutputFile {
    /// Nil for standard output.
    private let path: String?

    static let standardOutput = OutputFile(path: nil)

    private init(path: String?) { self.path = path }

    /// - Parameters:
    ///   - name: as the user gave it; `-` is standard output.
    ///   - input: the trace, which must not be overwritten.
    /// - Throws: `CommandError` when it is the trace itself.
    init(_ name: String, notOverwriting input: String) throws {
        if name == "-" {
            self.init(path: nil)
            return
        }
        var first = stat()
        var second = stat()
        if stat(name, &first) == 0, stat(input, &second) == 0, first.st_dev == second.st_dev,
            first.st_ino == second.st_ino
        {
            throw CommandError(.usage, "\(name): is the trace itself; give the output another name with -o")
        }
        self.init(path: name)
    }

    /// A file that is replaced when the new one is whole.
    init(replacing path: String) { self.init(path: path) }

    /// To be known before hours of work: whether a file of that name can be made, or written to where it is no file.
    ///
    /// - Throws: `CommandError` when not.
    static func expectWritable(_ name: String) throws {
        var status = stat()
        if stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw CommandError(.cannotCreate, "\(name): is a folder")
        }
        let folder = (target(of: name) as NSString).deletingLastPathComponent
        guard access(isDevice(name) ? name : folder.isEmpty ? "." : folder, W_OK) == 0 else {
            throw CommandError(.cannotCreate, "\(name): cannot be created: \(reason)")
        }
    }

    /// What a link leads to: a link stays one, and that is replaced.
    private static func target(of path: String) -> String {
        guard let target = realpath(path, nil) else { return path }
        defer { free(target) }
        return String(cString: target)
    }

    /// A device, a pipe, or whatever else is there that is no file.
    private static func isDevice(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    var isStandardOutput: Bool { path == nil }

    /// Writes all of `bytes`, or leaves what was there.
    ///
    /// - Throws: `CommandError` when the file cannot be created or written.
    func write(_ bytes: [UInt8]) throws { try write { $0(bytes) } }

    /// Writes the pieces that `produce` gives, or leaves what was there.
    ///
    /// - Throws: `CommandError` when the file cannot be created or written.
    func write(_ produce: (_ emit: ([UInt8]) -> Void) -> Void) throws {
        guard let name = path else {
            guard Self.writeAll(produce, to: STDOUT_FILENO) || errno == EPIPE else {
                throw CommandError(.inputOutput, "standard output: \(Self.reason)")
            }
            return
        }
        // A device or a pipe is written to as it is; it cannot be replaced.
        if Self.isDevice(name) { return try overwrite(name, produce) }
        let path = Self.target(of: name)
        guard let new = NewFile(in: (path as NSString).deletingLastPathComponent) else {
            throw CommandError(.cannotCreate, "\(path): cannot be created: \(Self.reason)")
        }
        guard Self.writeAll(produce, to: new.descriptor) else {
            let failure = Self.reason
            new.discard()
            throw CommandError(.inputOutput, "\(path): cannot be written: \(failure)")
        }
        guard new.replace(path) else {
            throw CommandError(.cannotCreate, "\(path): cannot be created: \(Self.reason)")
        }
    }

    private func overwrite(_ path: String, _ produce: (_ emit: ([UInt8]) -> Void) -> Void) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandError(.cannotCreate, "\(path): cannot be created: \(Self.reason)")
        }
        defer { close(descriptor) }
        guard Self.writeAll(produce, to: descriptor) else {
            throw CommandError(.inputOutput, "\(path): cannot be written: \(Self.reason)")
        }
    }

    /// False where something could not be written, and `errno` says why.
    private static func writeAll(_ produce: (_ emit: ([UInt8]) -> Void) -> Void, to descriptor: Int32) -> Bool
    {
        // A reader that went away, and a file that becomes too large, are to be error codes here, and not the end of the
        // program.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var failure: Int32 = 0
        produce { bytes in
            if failure == 0 && !writeAll(bytes, to: descriptor) { failure = errno }
        }
        errno = failure
        return failure == 0
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = Foundation.write(
                    descriptor, buffer.baseAddress! + written, buffer.count - written)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
