import Foundation

/// Where a command's output goes: a file that appears only when it is whole, in a folder that is made where
/// it is not there, or standard output.
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
            throw CommandError(.usage, "\(name): would overwrite the trace; choose another name with -o")
        }
        self.init(path: name)
    }

    /// A file that is replaced when the new one is whole.
    init(replacing path: String) { self.init(path: path) }

    /// To be known before hours of work: whether a file of that name can be made, or written to where it is
    /// no file.
    ///
    /// - Throws: `CommandError` when not.
    static func expectWritable(_ name: String) throws {
        var status = stat()
        if stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw CommandError(.cannotCreate, "\(name): is a folder")
        }
        let folder = OutputFolder.nearest((target(of: name) as NSString).deletingLastPathComponent)
        guard access(isDevice(name) ? name : folder, W_OK) == 0 else {
            throw CommandError(.cannotCreate, "\(name): cannot be created: \(reason)")
        }
    }

    /// What a link leads to: a link stays one, and that is replaced.
    static func target(of path: String) -> String {
        guard let target = realpath(path, nil) else { return path }
        defer { free(target) }
        return String(cString: target)
    }

    /// A device, a pipe, or anything else that is not a file.
    static func isDevice(_ path: String) -> Bool {
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
        var output = try open()
        produce { output.write($0) }
        try output.finish()
    }

    /// To be written piece by piece.
    ///
    /// - Throws: `CommandError` when the file cannot be created.
    func open() throws -> GrowingOutput { try GrowingOutput(path: path) }

    private static var reason: String { String(cString: strerror(errno)) }
}
