import EventLog
public import Foundation
public import Ops

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An operation that downloads a file, and resumes an earlier download of it. Its output is the URL of the
/// file.
///
///     let download = DownloadOperation(url, to: folder.appending(path: "map.zip"))
///     let unpack = download.then { file in try await unpack(file) }
///
/// Data is written to `map.zip.partial` as it arrives. Memory does not grow with the file; a slow disk slows
/// down the session. A complete file is flushed to the disk and renamed. Until then, an earlier `map.zip`
/// stays unchanged. The folder must exist.
///
/// **Resuming.** A download that was cancelled or failed, or whose process ended, leaves the partial file,
/// and beside it a note, `map.zip.partial.json`, with the URL and the version that the server stated. The
/// next operation with the same URL and destination requests the rest of that version only. If the server now
/// has another version, or does not serve parts, it starts over. Nothing is left if the server states no
/// version (a strong `ETag`, or a `Last-Modified`), or for methods other than GET.
/// `discardPartialDownload(of:)` removes files that nobody will resume.
///
/// **Outcome.** As for `DataOperation`. A body that is shorter than announced is a failure. A full disk, or
/// another file error, is a `TransferFailure` with the code `file`; the partial file stays as it is. While
/// another operation, of this process or another, downloads to the same destination, it fails at once with
/// the code `busy`.
///
/// **Cancellation.** As for `DataOperation`. If it is cancelled before its start, it leaves no file.
///
/// **Progress.** `progress` counts bytes, including those of an earlier download, if the server stated the
/// size.
///
/// The operation sets the request's `Range`, `If-Range` and `Accept-Encoding` headers itself.
///
/// It finishes on a thread of the system. (It uses a data task of the session: on Linux, Foundation's
/// download tasks cannot be resumed.)
open class DownloadOperation: OutputOperation<URL>, @unchecked Sendable {
    private struct State {
        /// Released at the start.
        var source: (@Sendable () throws -> URLRequest)?
        var request: URLRequest?
        /// Closed at the end.
        var file: PartialFile?
        var transfer: Transfer?
        /// Whether the request is for the rest of the file.
        var isRest = false
        /// The size of the complete file, if the server stated it.
        var expectedSize: Int64?
        var onBytes: (@Sendable (Int64, Int64?) -> Void)?
    }

    /// Where the file will be.
    public let destination: URL
    private let session: NetworkSession
    private let state: Locked<State>

    /// - Parameters:
    ///   - request: the request for a file; usually a GET.
    ///   - destination: a file URL; an existing file there is replaced when the new one is complete.
    ///   - session: the session that sends the request.
    ///   - name: see `Operation.name`.
    ///   - kind: see `KindedOperation.kind`; nil for the name of the class.
    ///   - qualityOfService: see `Operation.qualityOfService`.
    public init(
        _ request: URLRequest, to destination: URL, session: NetworkSession = .shared, name: String? = nil,
        kind: String? = nil, qualityOfService: QualityOfService = .default
    ) {
        precondition(destination.isFileURL, "the destination of a download is a file URL")
        self.destination = destination
        self.session = session
        state = Locked(State(source: { request }))
        super.init(name: name, kind: kind, qualityOfService: qualityOfService)
    }

    /// As above, with a GET request for `url`.
    public convenience init(
        _ url: URL, to destination: URL, session: NetworkSession = .shared, name: String? = nil,
        kind: String? = nil, qualityOfService: QualityOfService = .default
    ) {
        self.init(
            URLRequest(url: url), to: destination, session: session, name: name, kind: kind,
            qualityOfService: qualityOfService)
    }

    /// Creates an operation that sends the request that `dependency` returns. See
    /// `DataOperation.init(from:)`.
    public init(
        from dependency: some ResultOperation<URLRequest>, to destination: URL,
        session: NetworkSession = .shared, name: String? = nil, kind: String? = nil,
        qualityOfService: QualityOfService = .default
    ) {
        precondition(destination.isFileURL, "the destination of a download is a file URL")
        self.destination = destination
        self.session = session
        state = Locked(State(source: { try dependency.get() }))
        super.init(name: name, kind: kind, qualityOfService: qualityOfService)
        addDependency(dependency)
    }

    /// Removes the partial file and the note of downloads to `destination`, if they exist. Any thread.
    ///
    /// - Throws: a `POSIXError`; `EWOULDBLOCK` while somebody downloads to `destination`.
    public static func discardPartialDownload(of destination: URL) throws {
        do { try PartialFile.remove(for: destination) } catch { throw POSIXError(error.code) }
    }

    /// The last response's status and headers: 206 if the file was resumed. Nil until the operation has
    /// finished, and without an HTTP response. Any thread.
    public final var response: HTTPURLResponse? {
        isFinished ? state.withLock { $0.transfer }?.response as? HTTPURLResponse : nil
    }

    /// Called after every piece with the number of bytes on the disk, and that of the complete file if known.
    /// Called on the session's thread, which waits for it. Set it before the operation is enqueued.
    final var onBytes: (@Sendable (Int64, Int64?) -> Void)? {
        get { state.withLock { $0.onBytes } }
        set { state.withLock { $0.onBytes = newValue } }
    }

    /// Opens the partial file, and sends the request.
    public final override func main() {
        let source = state.withLock { state in
            defer { state.source = nil }
            return state.source
        }
        do {
            guard let request = try source?() else { return finish() }
            do {
                let file = try PartialFile(destination: destination)
                state.withLock { ($0.request, $0.file) = (request, file) }
                begin(request, into: file)
            } catch {
                throw TransferFailure(request, error)
            }
        } catch {
            finish(throwing: error)
        }
    }

    /// Cancels the operation and the session's task.
    open override func cancel() {
        super.cancel()
        state.withLock { $0.transfer }?.cancel()
    }

    /// Requests the rest of the file if there is a download to resume, otherwise the whole file.
    private func begin(_ request: URLRequest, into file: PartialFile) {
        let note = file.note
        guard file.size > 0, let note, note == request.note(validator: note.validator) else {
            return send(request.asDownload())
        }
        send(request.asDownload(from: file.size, ifStill: note.validator), isRest: true)
    }

    private func send(_ request: URLRequest, isRest: Bool = false) {
        let transfer = Transfer(
            request, session: session, acceptableStatusCodes: .success, consumer: self)
        state.withLock { ($0.transfer, $0.isRest) = (transfer, isRest) }
        // A cancellation before the transfer was stored did not find it.
        if isCancelled { transfer.cancel() }
        transfer.start()
    }
}

// MARK: Transfer events

/// The response is not the rest of the partial file.
private struct NotTheRest: Error {}

extension DownloadOperation: TransferConsumer {
    func begin(_ response: URLResponse) throws {
        let (file, request, isRest) = state.withLock { ($0.file, $0.request, $0.isRest) }
        guard let file, let request else { return }
        let answer = response as? HTTPURLResponse
        guard answer?.statusCode == 206 else {
            let length = response.expectedContentLength
            state.withLock { $0.expectedSize = length < 0 ? nil : length }
            return try mapped(request) { () throws(FileFailure) in
                try file.begin(request.note(validator: answer?.validator))
            }
        }
        guard isRest else {
            throw TransferFailure(
                request, code: .unexpectedAnswer, reason: "it was answered with a part of the file")
        }
        guard let range = answer?.contentRange, range.start == file.size,
            answer?.validator == file.note?.validator
        else { throw NotTheRest() }
        state.withLock { $0.expectedSize = range.total }
    }

    func receive(_ data: Data) throws {
        if isFinished { throw CancellationError() }
        let (file, request, expected, onBytes) = state.withLock {
            ($0.file, $0.request, $0.expectedSize, $0.onBytes)
        }
        guard let file, let request else { return }
        try mapped(request) { () throws(FileFailure) in try file.append(data) }
        if let expected { reportProgress(file.size, of: expected) }
        onBytes?(file.size, expected)
    }

    func complete(_ error: (any Error)?) {
        // The disk may be slow, and the session must not wait for a flush.
        DispatchQueue.global().async { self.end(error) }
    }

    private func end(_ error: (any Error)?) {
        let (file, request, isRest) = state.withLock { ($0.file, $0.request, $0.isRest) }
        guard let file, let request else { return finish() }
        let hasNoRest = (error as? HTTPFailure)?.status == 416
        guard isRest && (hasNoRest || error is NotTheRest) else { return close(request, file, error) }
        if isCancelled || isFinished { return close(request, file, CancellationError()) }
        // Nothing is left to request if the file is complete.
        if hasNoRest && file.size == knownTotal { return close(request, file, nil) }
        send(request.asDownload())
    }

    /// The size of the file, as stated in a 416 response.
    private var knownTotal: Int64? {
        (state.withLock { $0.transfer }?.response as? HTTPURLResponse)?.contentRange?.total
    }

    private func close(_ request: URLRequest, _ file: PartialFile, _ error: (any Error)?) {
        // The lock is released first: code that sees this operation finished may begin another one.
        do {
            if let error { throw error }
            if isCancelled || isFinished { throw CancellationError() }
            try checkSize(request, file)
            try mapped(request) { () throws(FileFailure) in try file.moveToDestination() }
            file.unlock()
            finish(returning: destination)
        } catch {
            file.leave()
            file.unlock()
            finish(after: error)
        }
        state.withLock { $0.file = nil }
    }

    private func checkSize(_ request: URLRequest, _ file: PartialFile) throws {
        guard let expected = state.withLock({ $0.expectedSize }), expected != file.size else { return }
        throw TransferFailure(
            request, code: .unexpectedAnswer,
            reason: "it ended after \(Prose.grouped(file.size)) of \(Prose.grouped(expected)) bytes")
    }

    private func mapped(_ request: URLRequest, _ body: () throws(FileFailure) -> Void) throws {
        do { try body() } catch { throw TransferFailure(request, error) }
    }
}
