import EventLog
public import Foundation
public import Ops

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An operation that downloads a file, and goes on with what an earlier one left. Its output is the URL of
/// the file.
///
///     let download = DownloadOperation(url, to: folder.appending(path: "map.zip"))
///     let unpack = download.then { file in try await unpack(file) }
///
/// What comes is written to `map.zip.partial`, as it comes; memory does not grow with the file, and a slow
/// disk slows down the session. A whole file is flushed to the disk and renamed: until then an earlier
/// `map.zip` is as it was. The folder must exist.
///
/// **Going on.** A download that was cancelled or failed, or whose process ended, leaves the partial file and
/// a note beside it, `map.zip.partial.json`, with the URL and the version that the server told. The next
/// operation with the same URL and destination asks for the rest of that version only. Where the server has
/// another version by then, or does not give parts, it begins anew. Where the server tells no version (a
/// strong `ETag`, or a `Last-Modified`), and for other methods than GET, nothing is left.
/// `discardPartialDownload(of:)` removes what nobody will go on with.
///
/// **Outcome.** As that of `DataOperation`. A body that is shorter than announced is a failure; a disk that
/// is full, or another file error, is a `TransferFailure` with the code `file`, and the partial file stays as
/// it is. While another operation, of this process or another, downloads to the same destination, it fails
/// with the code `busy`, at once.
///
/// **Cancellation.** As that of `DataOperation`. Cancelled before its start, it leaves no file.
///
/// **Progress.** `progress` counts bytes, those of an earlier download among them, where the server told the
/// size.
///
/// The request's `Range`, `If-Range` and `Accept-Encoding` headers are the operation's own.
///
/// It finishes on a thread of the system. (It is a data task of the session's: on Linux, Foundation's
/// download tasks cannot be resumed.)
open class DownloadOperation: OutputOperation<URL>, @unchecked Sendable {
    private struct State {
        /// Let go at the start.
        var source: (@Sendable () throws -> URLRequest)?
        var request: URLRequest?
        /// Closed at the end.
        var file: PartialFile?
        var transfer: Transfer?
        /// What is asked for is the rest of the file.
        var isRest = false
        /// The size of the whole file, where the server told.
        var expectedSize: Int64?
        var onBytes: (@Sendable (Int64, Int64?) -> Void)?
    }

    /// Where the file will be.
    public let destination: URL
    private let session: NetworkSession
    private let state: Locked<State>

    /// - Parameters:
    ///   - request: of a file; a GET, as a rule.
    ///   - destination: a file URL; a file there is replaced when the new one is whole.
    ///   - session: what the request is sent with.
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

    /// As above, with a GET of `url`.
    public convenience init(
        _ url: URL, to destination: URL, session: NetworkSession = .shared, name: String? = nil,
        kind: String? = nil, qualityOfService: QualityOfService = .default
    ) {
        self.init(
            URLRequest(url: url), to: destination, session: session, name: name, kind: kind,
            qualityOfService: qualityOfService)
    }

    /// An operation that sends the request that `dependency` gave. See `DataOperation.init(from:)`.
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

    /// Removes what downloads to `destination` left to go on with. Any thread; nothing happens where there is
    /// nothing.
    ///
    /// - Throws: a `POSIXError`; `EWOULDBLOCK` while somebody downloads to `destination`.
    public static func discardPartialDownload(of destination: URL) throws {
        do { try PartialFile.remove(for: destination) } catch { throw POSIXError(error.code) }
    }

    /// The last answer's status and headers: 206 where the file is made of what was there and the rest. Nil
    /// until the operation has finished, and without an HTTP answer. Any thread.
    public final var response: HTTPURLResponse? {
        isFinished ? state.withLock { $0.transfer }?.response as? HTTPURLResponse : nil
    }

    /// Called with the bytes on the disk and those of the whole file, where known, after every piece, on the
    /// session's thread, which waits for it. Set it before the operation is enqueued.
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

    /// Sets the flag, and cancels the session's task.
    open override func cancel() {
        super.cancel()
        state.withLock { $0.transfer }?.cancel()
    }

    /// Asks for the rest, where there is something to go on with.
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
        // Whoever cancelled it before it was stored did not find it.
        if isCancelled { transfer.cancel() }
        transfer.start()
    }
}

// MARK: What the transfer brings

/// The rest that came does not fit what is there.
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
        // A disk may keep it waiting, and the session shall not wait for a disk that only flushes.
        DispatchQueue.global().async { self.end(error) }
    }

    private func end(_ error: (any Error)?) {
        let (file, request, isRest) = state.withLock { ($0.file, $0.request, $0.isRest) }
        guard let file, let request else { return finish() }
        let hasNoRest = (error as? HTTPFailure)?.status == 416
        guard isRest && (hasNoRest || error is NotTheRest) else { return close(request, file, error) }
        if isCancelled || isFinished { return close(request, file, CancellationError()) }
        // Nothing is left to ask for, where that was all.
        if hasNoRest && file.size == knownTotal { return close(request, file, nil) }
        send(request.asDownload())
    }

    /// The size of the file, as a 416 tells it.
    private var knownTotal: Int64? {
        (state.withLock { $0.transfer }?.response as? HTTPURLResponse)?.contentRange?.total
    }

    private func close(_ request: URLRequest, _ file: PartialFile, _ error: (any Error)?) {
        // The lock is released before: whoever sees this operation finished may begin another.
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
