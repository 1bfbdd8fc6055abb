import Foundation
import Ops
import OpsNetwork

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fetches the bytes of a page. Where the server asks to wait, it waits and asks again.
final class FetchPage: RetryOperation<Data>, @unchecked Sendable {
    /// - Parameter clock: what measures the waits.
    init(
        _ page: Int, of search: TrendingSearch, clock: any Clock<Duration> = ContinuousClock(),
        recorder: Recorder
    ) {
        let request = search.request(page: page)
        super.init(name: "fetch page \(page)", policy: .rateLimits, clock: clock, recorder: recorder) { _ in
            DataOperation(request, session: search.session, maximumSize: 1 << 20)
        }
    }

    /// What the page says of the others. Once it is fetched.
    var links: PageLinks {
        let answer = (children.last as? DataOperation)?.response
        return PageLinks(header: answer?.value(forHTTPHeaderField: "Link"))
    }
}

extension RetryPolicy {
    /// Asks again where the server has said when: GitHub answers 403 or 429, with a `Retry-After`, to those
    /// who ask too often. Every other error is final, a 403 that only forbids among them; so is a wait of
    /// more than a minute.
    static let rateLimits = RetryPolicy(maximumAttempts: 4, delay: .constant(.zero), jitter: .none) {
        error, _ in
        guard let failure = error as? HTTPFailure, let wait = failure.retryAfter else { return false }
        return [403, 429].contains(failure.status) && wait <= .seconds(60)
    }
}
