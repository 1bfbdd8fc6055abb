import Foundation
import Ops
import Testing

@Suite("An output operation finishes with a value that its work calls back with")
struct OutputOperationTests {
    /// Calls back with what the test says.
    private final class Lookup: OutputOperation<Int>, @unchecked Sendable {
        private let work: @Sendable (Lookup) -> Void

        init(_ name: String? = nil, work: @escaping @Sendable (Lookup) -> Void) {
            self.work = work
            super.init(name: name)
        }

        override func main() { work(self) }
    }

    private let queue = InstrumentedQueue(recorder: Recorder())

    private func run(_ work: @escaping @Sendable (Lookup) -> Void) -> Lookup {
        let lookup = Lookup(work: work)
        queue.addOperation(lookup)
        queue.drain()
        return lookup
    }

    @Test("an output operation can be finished from any thread, once it has begun")
    func returns() {
        let lookup = run { lookup in DispatchQueue.global().async { lookup.finish(returning: 42) } }
        #expect(lookup.output?.value == 42 && lookup.failure == nil)
    }

    @Test("an output operation finished with a result has its value or its error")
    func results() {
        #expect(run { $0.finish(with: .success(42)) }.output?.value == 42)
        #expect(run { $0.finish(with: .failure(Refusal(reason: "no"))) }.failure is Refusal)
    }

    @Test("the first finish of an output operation decides")
    func first() {
        let value = run { lookup in
            lookup.finish(returning: 1)
            lookup.finish(returning: 2)
            lookup.finish(throwing: Refusal(reason: "late"))
        }
        #expect(value.output?.value == 1)
        let error = run { lookup in
            lookup.finish(throwing: Refusal(reason: "no"))
            lookup.finish(returning: 1)
        }
        #expect(error.output?.error is Refusal)
    }

    @Test("eight threads that finish an operation at once give one output, which its dependent takes")
    func atOnce() {
        for _ in 0..<200 {
            let lookup = Lookup { lookup in
                DispatchQueue.concurrentPerform(iterations: 8) { number in
                    number % 2 == 0
                        ? lookup.finish(returning: number) : lookup.finish(throwing: Refusal(reason: "no"))
                }
            }
            let next = lookup.thenSynchronously { $0 }
            queue.addOperations([lookup, next])
            queue.drain()
            #expect(lookup.output?.value == next.output?.value)
            #expect((lookup.failure == nil) == (lookup.output?.value != nil))
        }
    }

    @Test("an output operation finished without an output fails, and says so")
    func missing() {
        #expect(run { $0.finish() }.failure.map { "\($0)" } == "it was finished without an output")
    }

    @Test("the output of a cancelled output operation is dropped")
    func cancelled() {
        let lookup = run { lookup in
            lookup.cancel()
            lookup.finish(returning: 1)
        }
        #expect(lookup.output?.error is CancellationError)
    }
}
