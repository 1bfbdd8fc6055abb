public import Foundation

/// A group that gathers the outputs of its children, in the order in which they were added.
///
///     let pages = GatherOperation(urls, maxConcurrentOperationCount: 4) { url in DownloadOperation(url) }
///     let total = pages.then { pages in pages.reduce(0) { $0 + $1.count } }
///     queue.addOperations([pages, total], waitUntilFinished: false)
///
/// Each child that is a `ResultOperation` of that output gives one element. The group waits for other
/// children too, and fails if they fail, but they give no element. Otherwise, including cancellation, like
/// `GroupOperation`.
open class GatherOperation<Element: Sendable>: GroupOperation, ResultOperation, @unchecked Sendable {
    private struct Gathered {
        var output: Result<[Element], any Error>
        var results: [Result<Element, any Error>]
    }

    /// Set when the operation is about to finish.
    private let gathered: Locked<Gathered?>

    /// Creates an operation without children. Add them with `add(_:)` or in `prepare()`.
    ///
    /// The parameters are those of `GroupOperation`; `completion` receives `output`.
    public init(
        name: String? = nil,
        maxConcurrentOperationCount: Int = OperationQueue.defaultMaxConcurrentOperationCount,
        failurePolicy: FailurePolicy = .failFast, startsOnMainThread: Bool = false,
        qualityOfService: QualityOfService = .default, recorder: Recorder = .shared,
        completion: (@Sendable (Result<[Element], any Error>) -> Void)? = nil
    ) {
        let gathered = Locked<Gathered?>(nil)
        self.gathered = gathered
        super.init(
            name: name, maxConcurrentOperationCount: maxConcurrentOperationCount,
            failurePolicy: failurePolicy, startsOnMainThread: startsOnMainThread,
            qualityOfService: qualityOfService, recorder: recorder,
            completion: completion.map { completion in
                { @Sendable (_: Result<Void, any Error>) in
                    if let output = gathered.withLock({ $0?.output }) { completion(output) }
                }
            })
    }

    /// Creates an operation with a child for each of `inputs`, in their order.
    ///
    /// - Parameters:
    ///   - inputs: the values to create the children from. Read before this returns.
    ///   - make: creates a child. Called for each input before this returns, on this thread.
    public convenience init<Input, Child: ResultOperation>(
        _ inputs: some Sequence<Input>, name: String? = nil,
        maxConcurrentOperationCount: Int = OperationQueue.defaultMaxConcurrentOperationCount,
        failurePolicy: FailurePolicy = .failFast, qualityOfService: QualityOfService = .default,
        recorder: Recorder = .shared, completion: (@Sendable (Result<[Element], any Error>) -> Void)? = nil,
        make: (Input) throws -> Child
    ) rethrows where Child.Output == Element {
        self.init(
            name: name, maxConcurrentOperationCount: maxConcurrentOperationCount,
            failurePolicy: failurePolicy, qualityOfService: qualityOfService, recorder: recorder,
            completion: completion)
        for input in inputs { add(try make(input)) }
    }

    /// The elements, in the order in which the children were added; or the error that the operation failed
    /// with, a `CancellationError` if it was cancelled. Nil until it has finished; then it does not change.
    /// Any thread.
    public final var output: Result<[Element], any Error>? {
        isFinished ? gathered.withLock { $0?.output } : nil
    }

    /// The result of each child that gives an element, in the order in which they were added. For the policy
    /// `.collectAll`, if some failed. Children that were given up have a `CancellationError`. Empty until the
    /// operation has finished; then it does not change. Any thread.
    public final var results: [Result<Element, any Error>] {
        isFinished ? gathered.withLock { $0?.results ?? [] } : []
    }

    final override func willEnd(_ failure: (any Error)?, isCancelled: Bool) -> (any Error)? {
        let results = children.compactMap { child -> Result<Element, any Error>? in
            guard let child = child as? any ResultOperation<Element> else { return nil }
            return child.output ?? .failure(CancellationError())
        }
        var failure = failure
        let output: Result<[Element], any Error>
        if let error = failure ?? (isCancelled ? CancellationError() : nil) {
            output = .failure(error)
        } else {
            do {
                output = .success(try results.map { try $0.get() })
            } catch {
                // It was finished by hand before it had all elements.
                failure = OutputMissing()
                output = .failure(OutputMissing())
            }
        }
        gathered.withLock { $0 = Gathered(output: output, results: results) }
        return failure
    }
}
