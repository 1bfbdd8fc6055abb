import Foundation
import Ops

/// Stands for a resolver with a callback.
struct Resolver: Sendable {
    func lookup(_ host: String, _ completion: @escaping @Sendable (Result<[String], any Error>) -> Void) {
        DispatchQueue.global().async { completion(.success(["192.0.2.1", "192.0.2.2"])) }
    }
}

/// Stands for a client of a server: three quotations, as JSON.
func get(_ path: String) async throws -> Data {
    try await Task.sleep(for: .milliseconds(5))
    return Data(#"["Less is more.", "Form follows function.", "\#(path)"]"#.utf8)
}

let queue = InstrumentedQueue()
queue.name = "import"

// Outputs, passed by type.
let fetch = TaskOperation(name: "fetch") { try await get("quotes") }
let decode = fetch.then(name: "decode") { data in try JSONDecoder().decode([String].self, from: data) }
let store = decode.thenSynchronously(name: "store") { quotes in quotes.count }
let report = store.thenRegardless(name: "report") { result in print("stored: \(result)") }
for operation in [fetch, decode, store, report] as [Operation] { queue.addOperation(operation) }
let count = try await store.value
await report.finished()
print("\(count) quotations")

// Work that calls back.
final class Lookup: OutputOperation<[String]>, @unchecked Sendable {
    override func main() { Resolver().lookup("example.com") { self.finish(with: $0) } }
}

let lookup = Lookup(name: "lookup")
lookup.exclusionKeys = ["resolver"]  // never at the same time as another operation with this key
lookup.addCondition(Condition("online") { true })
lookup.setTimeout(.seconds(5))
queue.addOperation(lookup)
print(try await lookup.value.joined(separator: ", "))

// Many at once, each with retries.
let pages = GatherOperation(1...3, name: "pages", maxConcurrentOperationCount: 2) { number in
    RetryOperation(name: "page \(number)", policy: RetryPolicy(maximumAttempts: 4)) { _ in
        TaskOperation(name: "attempt") { try await get("page \(number)") }
    }
}
let index = pages.then(name: "index") { pages in pages.count }
for operation in [pages, index] as [Operation] { queue.addOperation(operation) }
print("\(try await index.value) pages")
