import Foundation
import Ops
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class NetworkSession: Sendable {
    let session = URLSession(configuration: .default)
}

final class DataOperation: OutputOperation<Data>, @unchecked Sendable {
    private let lock = NSLock()
    private var task: URLSessionDataTask?
    private let url: URL
    private let session: URLSession

    init(_ url: URL, session: NetworkSession, name: String, kind: String) {
        self.url = url
        self.session = session.session
        super.init(name: name, kind: kind)
    }

    override func main() {
        let task = session.dataTask(with: url) { [self] data, response, error in
            if isCancelled { return finish() }
            if let error { return finish(throwing: error) }
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            if status != 200 { return finish(throwing: URLError(.badServerResponse)) }
            finish(returning: data ?? Data())
        }
        lock.withLock { self.task = task }
        task.resume()
        if isCancelled { task.cancel() }
    }

    override func cancel() {
        super.cancel()
        lock.withLock { task }?.cancel()
    }
}
