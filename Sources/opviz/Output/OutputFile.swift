import Foundation

/// The destination of a command's output: standard output, or a file that appears only when it is complete.
/// The file's folder is created if needed.
struct OutputFile {
    /// Nil for standard output.
    private let path: String?

    static let standardOutput = OutputFile(path: nil)

    private init(path: String?) { self.path = path }

    /// - Parameters:
    ///   - name: as the user gave it; `-` is standard output.
    ///   - input: the trace, which must not be overwritten.
    /// - Throws: `CommandError` if it is the trace itself.
    init(_ name: String, notOverwriting input: String) throws {
        if name == "-" {
            self.init(path: nil)
            return
        }
        if Self.isSame(name, input) {
            throw CommandError(.usage, "\(name): would overwrite the trace; choose another name with -o")
        }
        self.init(path: name)
    }

    /// Whether both paths lead to the same file. False if one of them does not exist.
    static func isSame(_ path: String, _ other: String) -> Bool {
        var first = stat()
        var second = stat()
        return stat(path, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev
            && first.st_ino == second.st_ino
    }

    /// A file that is replaced when the new one is complete.
    init(replacing path: String) { self.init(path: path) }

    /// Checks before hours of work that a file of that name can be created, or that a device of that name can
    /// be written.
    ///
    /// - Throws: `CommandError` if not.
    static func expectWritable(_ name: String) throws {
        var status = stat()
        if stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw CommandError(.cannotCreate, "\(name): is a folder")
        }
        let folder = OutputFolder.nearest(OutputFolder.parent(of: target(of: name)))
        guard access(isDevice(name) ? name : folder, W_OK) == 0 else {
            throw CommandError(.cannotCreate, "\(name): cannot be created: \(reason)")
        }
    }

    /// The target of a link. The link itself stays; its target is replaced.
    static func target(of path: String) -> String {
        guard let target = realpath(path, nil) else { return path }
        defer { free(target) }
        return String(cString: target)
    }

    /// Whether it is a device, a pipe, or anything else that is not a file.
    static func isDevice(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    var isStandardOutput: Bool { path == nil }

    /// Writes all of `bytes`, or keeps the previous file.
    ///
    /// - Throws: `CommandError` if the file cannot be created or written.
    func write(_ bytes: [UInt8]) throws { try write { $0(bytes) } }

    /// Writes the pieces that `produce` emits, or keeps the previous file.
    ///
    /// - Throws: `CommandError` if the file cannot be created or written.
    func write(_ produce: (_ emit: ([UInt8]) -> Void) -> Void) throws {
        var output = try open()
        produce { output.write($0) }
        try output.finish()
    }

    /// Opens the output for writing piece by piece.
    ///
    /// - Throws: `CommandError` if the file cannot be created.
    func open() throws -> GrowingOutput { try GrowingOutput(path: path) }

    private static var reason: String { String(cString: strerror(errno)) }
}
