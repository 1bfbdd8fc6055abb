import Foundation
import Ops

/// Puts the files that other operations downloaded together, into one file. It runs when all of them are
/// done.
///
/// It copies chunk by chunk, into a file beside the destination, and looks after each whether it was
/// cancelled. Cancelled or failed, it leaves nothing, and a file that was at the destination before is still
/// there. When all is copied, it can no longer be cancelled: then the file takes its place.
final class JoinFiles: SynchronousOperation<URL>, @unchecked Sendable {
    private enum Phase { case copying, cancelled, placing }

    private let parts: [any ResultOperation<URL>]
    private let destination: URL
    private let chunkSize: Int
    private let afterChunk: (@Sendable (_ join: JoinFiles, _ count: Int) -> Void)?
    private let lock = NSLock()
    private var phase = Phase.copying

    /// - Parameters:
    ///   - parts: in their order in the file.
    ///   - afterChunk: called on the thread that copies, with the number of chunks until then.
    init(
        _ parts: [any ResultOperation<URL>], to destination: URL, name: String, chunkSize: Int = 65_536,
        afterChunk: (@Sendable (_ join: JoinFiles, _ count: Int) -> Void)? = nil
    ) {
        self.parts = parts
        self.destination = destination
        self.chunkSize = chunkSize
        self.afterChunk = afterChunk
        super.init(name: name)
        for part in parts { addDependency(part) }
        // Two at once would write to one copy.
        exclusionKeys = [ExclusionKey(destination.path)]
    }

    /// Does nothing once the file is about to take its place, so that the reported outcome is correct.
    override func cancel() {
        let isTooLate = lock.withLock {
            if phase == .copying { phase = .cancelled }
            return phase == .placing
        }
        if !isTooLate { super.cancel() }
    }

    override func run() throws -> URL {
        let files = try parts.map { try $0.get() }
        let copy = destination.appendingPathExtension("unfinished")
        do {
            try copyAll(files, to: copy)
            try endCancellations()
            try place(copy)
        } catch {
            // Rolled back. Where it was not even made, there is nothing to remove.
            try? FileManager.default.removeItem(at: copy)
            throw error
        }
        return destination
    }

    private func copyAll(_ files: [URL], to copy: URL) throws {
        try Data().write(to: copy)
        let output = try FileHandle(forWritingTo: copy)
        defer { try? output.close() }
        var count = 0
        for file in files {
            let input = try FileHandle(forReadingFrom: file)
            defer { try? input.close() }
            while let chunk = try input.read(upToCount: chunkSize), !chunk.isEmpty {
                try checkCancellation()
                try output.write(contentsOf: chunk)
                count += 1
                afterChunk?(self, count)
            }
        }
        try output.synchronize()
    }

    /// The point of no return.
    private func endCancellations() throws {
        try lock.withLock {
            if phase == .cancelled { throw CancellationError() }
            phase = .placing
        }
    }

    /// Puts the copy in the destination's place, at once.
    private func place(_ copy: URL) throws {
        guard rename(copy.path, destination.path) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }
}
