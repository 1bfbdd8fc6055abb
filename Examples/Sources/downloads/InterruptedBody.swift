import FlyingSocks
import Foundation

/// The beginning of a body, after which something else happens than its end.
struct InterruptedBody: AsyncBufferedSequence {
    typealias Element = UInt8

    private let beginning: Data
    private let interruption: @Sendable () async throws -> Void

    init(_ beginning: Data, interruption: @escaping @Sendable () async throws -> Void) {
        self.beginning = beginning
        self.interruption = interruption
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: beginning, interruption: interruption) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate var rest: Data
        fileprivate let interruption: @Sendable () async throws -> Void

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            if rest.isEmpty {
                try await interruption()
                return nil
            }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }
    }
}
