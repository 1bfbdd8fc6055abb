import Foundation
import Ops
import OpsNetwork

/// Where files come from, and the folder that they go to.
struct Depot: Sendable {
    let server: FileServer
    private let files: URL
    let folder: URL
    let recorder: Recorder
    private let session = NetworkSession()

    /// Creates a new folder for each depot.
    ///
    /// - Parameter files: the URL of the server's files, without a name.
    init(server: FileServer, files: URL, recorder: Recorder) throws {
        self.server = server
        self.files = files
        self.recorder = recorder
        folder = FileManager.default.temporaryDirectory.appending(path: "downloads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    /// Removes the folder.
    func remove() throws { try FileManager.default.removeItem(at: folder) }

    func queue(_ name: String, slots: Int) -> InstrumentedQueue {
        let queue = InstrumentedQueue(recorder: recorder)
        queue.name = name
        queue.maxConcurrentOperationCount = slots
        return queue
    }

    /// - Parameter name: the operation's name; nil for the file's.
    func download(_ file: String, name: String? = nil, qualityOfService: QualityOfService = .default)
        -> DownloadOperation
    {
        DownloadOperation(
            files.appending(path: file), to: url(of: file), session: session, name: name ?? file,
            kind: "Download", qualityOfService: qualityOfService)
    }

    /// Returns when all of them have finished.
    func run(_ operations: [DownloadOperation], on queue: InstrumentedQueue) async {
        for operation in operations { queue.addOperation(operation) }
        for operation in operations { await operation.finished() }
    }

    func url(of file: String) -> URL { folder.appending(path: file) }

    /// What is in the folder.
    func contents() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// Throws if `file` does not contain `data`.
    func check(_ file: String, holds data: Data?) throws {
        let isSame = try Data(contentsOf: url(of: file)) == data
        try Fault.unless(isSame, "\(file) does not hold what the server has")
    }
}

/// Returns when `holds` is true. For conditions without a notification.
///
/// - Throws: a `Fault` with `description` if that takes too long.
func wait(_ description: String, until holds: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while !holds() {
        try Fault.unless(ContinuousClock.now < end, "waited in vain: \(description)")
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// Something is not as it should be.
struct Fault: Error, CustomStringConvertible {
    let description: String

    static func unless(_ holds: Bool, _ description: @autoclosure () -> String) throws {
        if !holds { throw Fault(description: description()) }
    }
}
