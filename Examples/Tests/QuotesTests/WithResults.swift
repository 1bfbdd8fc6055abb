/// Makes an operation with a completion.
///
/// - Returns: the operation, and a stream of the results that the completion receives. The stream ends when
///   the completion is released.
func withResults<Value: Sendable, Made>(
    _ make: (@escaping @Sendable (Result<Value, any Error>) -> Void) throws -> Made
) rethrows -> (made: Made, results: AsyncStream<Result<Value, any Error>>) {
    let (results, continuation) = AsyncStream<Result<Value, any Error>>.makeStream()
    let ending = Ending { continuation.finish() }
    return (try make { result in ending.during { continuation.yield(result) } }, results)
}

/// Does something when it is released.
private final class Ending: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }

    /// Is not released meanwhile.
    func during(_ body: () -> Void) { body() }
}

extension AsyncStream {
    /// All there is, when it has ended.
    func collected() async -> [Element] {
        var elements: [Element] = []
        for await element in self { elements.append(element) }
        return elements
    }

    /// Returns when there is one more.
    func next() async { for await _ in self { return } }
}
