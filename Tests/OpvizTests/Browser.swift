import Foundation
import Testing

/// A headless Chromium with one page, driven over its debugging pipe: messages of JSON, a zero byte after
/// each.
///
/// Everything runs on a separate thread, which may block. The browser is ended in any case.
final class Browser {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let deadline: TimeInterval = 60
    /// Tests run side by side. More browsers than processors would only wait for each other.
    private static let places = DispatchSemaphore(value: ProcessInfo.processInfo.activeProcessorCount)

    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())
    private let folder: Folder
    private var heard = Data()
    private var lastID = 0
    private var session: String?
    private var isLoaded = false
    /// Whether what is asked lets the browser load another page.
    private var isLeaving = false
    /// What no page should give cause for: errors, messages, dialogs, requests; a line each.
    private(set) var complaints: [String] = []
    /// The addresses that the page asked for.
    private(set) var requests: [String] = []

    /// Opens a page in a window of this size and does something with it.
    static func open<Result: Sendable>(
        _ file: URL, width: Int = 1600, height: Int = 1000,
        _ body: @escaping @Sendable (Browser) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                places.wait()
                defer { places.signal() }
                continuation.resume(
                    with: Swift.Result {
                        let browser = try Browser(width: width, height: height)
                        defer { browser.end() }
                        try browser.load(file)
                        return try body(browser)
                    })
            }
        }
    }

    private init(width: Int, height: Int) throws {
        folder = try Folder()
        // The pipes come as standard input and output, and go where Chromium looks for them.
        let options =
            "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars "
            + "--remote-debugging-pipe"
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c",
            "exec \(Self.program ?? "chromium") \(options) --user-data-dir=\"$0\" about:blank 3<&0 4>&1 "
                + "0</dev/null 1>/dev/null 2>&1",
            folder.url.path,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let created = try call("Target.createTarget", ["url": "about:blank"])
        let attached = try call(
            "Target.attachToTarget", ["targetId": created["targetId"] as? String ?? "", "flatten": true])
        session = attached["sessionId"] as? String
        for domain in ["Page", "Runtime", "Log", "Network"] { try call("\(domain).enable") }
        try resize(width: width, height: height)
    }

    func resize(width: Int, height: Int) throws {
        try call(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    }

    /// Chromium, where there is one.
    static let program: String? = ["chromium", "chromium-browser", "google-chrome"].first {
        Executable.find($0) != nil
    }

    private func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Loads a page anew, also the one that is shown.
    func load(_ file: URL) throws {
        complaints = []
        try awaitLoad { try call("Page.navigate", ["url": file.absoluteString]) }
    }

    /// Until what `body` lets the browser load is there.
    func awaitLoad(_ body: () throws -> Void) throws {
        requests = []
        isLoaded = false
        isLeaving = true
        do {
            defer { isLeaving = false }
            try body()
        }
        let end = Date(timeIntervalSinceNow: Self.deadline)
        while !isLoaded { take(try message(before: end)) }
        try settle()
    }

    /// Until all that was asked for is drawn.
    func settle() throws {
        // A page that is left draws nothing more, and the browser forgets what it was asked.
        if isLeaving { return }
        _ = try evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
    }

    /// Until a condition of JavaScript holds, which is asked once a frame.
    func wait(until condition: String) throws {
        try evaluate(
            "new Promise((done) => { const look = () => (\(condition)) ? done(true) "
                + ": requestAnimationFrame(look); look() })")
    }

    /// Clicks a button that saves something, and returns the file.
    func save(_ button: String) throws -> (name: String, data: Data) {
        let place = folder.url.appending(path: "saved-\(UUID().uuidString)")
        try call("Browser.setDownloadBehavior", ["behavior": "allow", "downloadPath": place.path])
        try evaluate("document.getElementById('\(button)').click()")
        let end = Date(timeIntervalSinceNow: Self.deadline)
        while true {
            // Until it is whole, it has another name.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
            if let name = names.first, names.count == 1, !name.hasSuffix(".crdownload"), !name.hasPrefix(".")
            {
                return (name, try Data(contentsOf: place.appending(path: name)))
            }
            try check(Date() < end, "\(button) saved no file: \(names)")
            try settle()
        }
    }

    /// The value of an expression of JavaScript; of a promise what it gives.
    @discardableResult
    func evaluate(_ expression: String) throws -> Any {
        let answer = try call(
            "Runtime.evaluate", ["expression": expression, "awaitPromise": true, "returnByValue": true])
        if let thrown = answer["exceptionDetails"] as? [String: Any] {
            throw Failure(description: "\(expression): \(thrown["exception"] ?? thrown)")
        }
        return (answer["result"] as? [String: Any])?["value"] ?? NSNull()
    }

    func number(_ expression: String) throws -> Double {
        let value = try evaluate(expression) as? NSNumber
        guard let value else { throw Failure(description: "\(expression) is no number") }
        return value.doubleValue
    }

    func text(_ expression: String) throws -> String {
        let value = try evaluate(expression) as? String
        guard let value else { throw Failure(description: "\(expression) is no text") }
        return value
    }

    /// Throws where the expression has another value: an expectation would not know here whose test it is.
    func expect<Value: Equatable>(_ expression: String, _ expected: Value, line: Int = #line) throws {
        let value = try evaluate(expression)
        try check(value as? Value == expected, "\(expression) is \(value), not \(expected)", line: line)
    }

    /// As `expect`, of anything.
    func check(_ isTrue: Bool, _ sentence: String, line: Int = #line) throws {
        if !isTrue { throw Failure(description: "line \(line): \(sentence)") }
    }

    /// No error, no message, no dialog, and no request but that of the page.
    func expectQuiet(line: Int = #line) throws {
        try check(complaints.isEmpty, "\(complaints)", line: line)
        try check(requests.count == 1, "\(requests)", line: line)
    }

    // MARK: - Messages

    @discardableResult
    func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
        lastID += 1
        var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
        message["sessionId"] = session
        try input.fileHandleForWriting.write(
            contentsOf: JSONSerialization.data(withJSONObject: message) + [0])
        let end = Date(timeIntervalSinceNow: Self.deadline)
        while true {
            let answer = try self.message(before: end)
            guard answer["id"] as? Int == lastID else {
                take(answer)
                continue
            }
            if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
            return answer["result"] as? [String: Any] ?? [:]
        }
    }

    private func message(before end: Date) throws -> [String: Any] {
        let descriptor = output.fileHandleForReading.fileDescriptor
        while true {
            if let zero = heard.firstIndex(of: 0) {
                let bytes = heard[heard.startIndex..<zero]
                heard = Data(heard[(zero + 1)...])
                return try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
            }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = end.timeIntervalSinceNow
            guard left > 0, poll(&waiting, 1, Int32(left * 1000)) > 0 else {
                throw Failure(description: "the browser did not answer")
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure(description: "the browser ended") }
            heard += more
        }
    }

    private func take(_ event: [String: Any]) {
        let parameters = event["params"] as? [String: Any] ?? [:]
        switch event["method"] as? String {
        case "Page.loadEventFired": isLoaded = true
        case "Network.requestWillBeSent":
            let request = parameters["request"] as? [String: Any]
            requests.append(request?["url"] as? String ?? "?")
        case "Page.javascriptDialogOpening", "Runtime.exceptionThrown", "Runtime.consoleAPICalled",
            "Log.entryAdded":
            complaints.append("\(event["method"] ?? ""): \(parameters)")
        default: break
        }
    }
}

extension Trait where Self == ConditionTrait {
    static var needsBrowser: Self { .enabled(if: Browser.program != nil, "there is no Chromium") }
}
