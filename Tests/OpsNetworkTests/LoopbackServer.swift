import Foundation

/// A request, as it came.
struct ServedRequest: Sendable {
    let method: String
    let path: String
    /// Names in lower case.
    let headers: [String: String]

    init?(_ head: String) {
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        (method, path) = (String(words[0]), String(words[1]))
        headers = Dictionary(
            lines.dropFirst().compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { return nil }
                return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
            },
            uniquingKeysWith: { $0 + ", " + $1 })
    }
}

/// The server's end of a connection. Used by one thread.
struct ServedConnection: Sendable {
    fileprivate let descriptor: Int32

    /// Whether all bytes were sent.
    @discardableResult
    func send(_ bytes: some Sequence<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { sendBytes($0) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(text.utf8) }

    /// A whole answer, after which the connection is closed.
    func answer(_ status: String = "200 OK", _ headers: [String] = [], body: some Collection<UInt8>) {
        send(head(status, headers + ["Content-Length: \(body.count)"]))
        send(body)
    }

    func answer(_ status: String = "200 OK", _ headers: [String] = [], body: String = "") {
        answer(status, headers, body: body.utf8)
    }

    /// The lines before the body; what is sent then is up to the caller.
    func head(_ status: String = "200 OK", _ headers: [String] = []) -> String {
        (["HTTP/1.1 \(status)", "Connection: close"] + headers + ["", ""]).joined(separator: "\r\n")
    }

    /// Sends until the client reads no more, and tells how much went out.
    func sendUntilItStops(_ bytes: [UInt8]) -> Int {
        var sent = 0
        while sent < bytes.count {
            var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&state, 1, 500) == 1 else { break }
            let count = bytes[sent...].prefix(65_536).withUnsafeBytes { sendBytes($0, Int32(MSG_DONTWAIT)) }
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }

    /// Returns when the client has closed the connection.
    func waitForEnd() {
        var byte: UInt8 = 0
        while recv(descriptor, &byte, 1, 0) > 0 {}
    }

    /// The client sees the connection break instead of end.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    private func sendBytes(_ bytes: UnsafeRawBufferPointer, _ flags: Int32 = 0) -> Int {
        Foundation.send(descriptor, bytes.baseAddress, bytes.count, flags | Int32(MSG_NOSIGNAL))
    }

    fileprivate func readRequest() -> ServedRequest? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
        }
        return ServedRequest(String(decoding: head, as: UTF8.self))
    }
}

/// Answers on the loopback interface as a test says: each connection has a thread, brings one request, and is
/// closed when `respond` returns. It listens until the tests are over.
struct LoopbackServer: Sendable {
    typealias Respond = @Sendable (ServedRequest, ServedConnection) -> Void

    let port: UInt16

    init(_ respond: @escaping Respond) {
        let listener: Int32
        (listener, port) = listeningSocket(backlog: 512)
        Thread.detachNewThread {
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                Thread.detachNewThread {
                    let connection = ServedConnection(descriptor: descriptor)
                    if let request = connection.readRequest() { respond(request, connection) }
                    close(descriptor)
                }
            }
        }
    }

    /// Answers every request with `body`.
    init(body: String) { self.init { _, connection in connection.answer(body: body) } }

    func url(_ path: String = "/") -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }
}

/// A port where connections are neither accepted nor refused.
func deafPort() -> UInt16 {
    let (_, port) = listeningSocket(backlog: 0)
    // These fill the queue of pending connections.
    for _ in 0..<4 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        withLoopbackAddress(port: port) { _ = connect(socket, $0, $1) }
    }
    return port
}

/// A port without a listener.
func closedPort() -> UInt16 {
    let (listener, port) = listeningSocket(backlog: 1)
    close(listener)
    return port
}

private func listeningSocket(backlog: Int32) -> (Int32, UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    withLoopbackAddress(port: 0) { _ = bind(listener, $0, $1) }
    listen(listener, backlog)
    let port = withLoopbackAddress(port: 0) { address, length in
        var length = length
        getsockname(listener, address, &length)
    }
    precondition(port != 0, "the loopback interface cannot be listened on")
    return (listener, port)
}

/// Gives the port of the address after `body`.
@discardableResult
private func withLoopbackAddress(
    port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Void
) -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    return UInt16(bigEndian: address.sin_port)
}
