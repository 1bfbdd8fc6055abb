import Foundation
import Ops
import OpsNetwork

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// *Increase read count*: tells the server that a quotation was read, and updates its row to what the server
/// answers.
///
/// Two operations for the same quotation run one after the other, so that an earlier answer does not
/// overwrite a later one.
final class IncreaseReadCount: GroupOperation, @unchecked Sendable {
    /// - Parameters:
    ///   - id: of the quotation.
    ///   - server: where `reads` is.
    ///   - limit: how long the server may take to answer.
    ///   - clock: measures the limit.
    ///   - completion: called once with the number of readings, or with the error.
    init(
        of id: Int, at server: URL, session: NetworkSession, in store: QuoteStore,
        limit: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock(), recorder: Recorder,
        completion: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) throws {
        var request = URLRequest(url: server.appending(path: "reads"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(Reading(id: id))

        let post = DataOperation(request, session: session, kind: "PostReading")
        post.setTimeout(limit, clock: clock)
        let update = post.thenSynchronously(kind: "UpdateReadCount") { data in
            let answer = try ReadCount(json: data)
            guard answer.id == id else { throw OtherQuote(asked: id, answered: answer.id) }
            try store.save(answer)
            return answer.readCount
        }
        super.init(name: "read quote \(id)", maxConcurrentOperationCount: 1, recorder: recorder) { result in
            completion(result.flatMap { Result { try update.get() } })
        }
        exclusionKeys = [ExclusionKey("quote \(id)")]
        for step in [post, update] { add(step) }
    }
}

/// The error of an answer that is not to what was asked.
struct OtherQuote: Error, CustomStringConvertible {
    let asked: Int
    let answered: Int

    var description: String { "the server answered for quote \(answered) instead of \(asked)" }
}
