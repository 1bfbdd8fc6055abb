import Foundation
import FoundationNetworking

// Fetches a page from a server of its own on the loopback interface, and prints it.

/// Answers one request.
final class Server: Sendable {
    let port: UInt16
    private let listener: Int32

    init() {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (socket, size) = (listener, length)
        port = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && listen(socket, 4) == 0 && getsockname(socket, $0, &length) == 0
            } ? UInt16(bigEndian: $0.pointee.sin_port) : 0
        }
        Thread.detachNewThread { [self] in answer() }
    }

    private func answer() {
        let connection = accept(listener, nil, nil)
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !request.ends(with: [13, 10, 13, 10]) {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { break }
            request += buffer[..<count]
        }
        let page = Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhello\n".utf8)
        _ = write(connection, page, page.count)
        close(connection)
    }
}

extension Array where Element: Equatable {
    func ends(with other: [Element]) -> Bool { suffix(other.count) == other[...] }
}

final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
    let isOver = DispatchSemaphore(value: 0)

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        print(
            OperationQueue.current?.name ?? "nowhere", String(decoding: data, as: UTF8.self), terminator: "")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        print(error.map { "\($0)" } ?? "done")
        isOver.signal()
    }
}

let server = Server()
let delegate = Delegate()
let queue = OperationQueue()
queue.name = "delegate's"
// As URLSession's own are: else the end may be told beside the data.
queue.maxConcurrentOperationCount = 1
let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: queue)
session.dataTask(with: URL(string: "http://127.0.0.1:\(server.port)/")!).resume()
delegate.isOver.wait()
