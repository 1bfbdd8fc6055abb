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

    /// The links to other pages, once the page is fetched.
    var links: PageLinks {
        let answer = (children.last as? DataOperation)?.response
        return PageLinks(header: answer?.value(forHTTPHeaderField: "Link"))
    }
}

extension RetryPolicy {
    /// Retries after the time that the server requests: GitHub answers too frequent requests with 403 or 429
    /// and a `Retry-After`. Every other error is final, including a 403 without that header, and a wait of
    /// more than a minute.
    static let rateLimits = RetryPolicy(maximumAttempts: 4, delay: .constant(.zero), jitter: .none) {
        error, _ in
        guard let failure = error as? HTTPFailure, let wait = failure.retryAfter else { return false }
        return [403, 429].contains(failure.status) && wait <= .seconds(60)
    }
}
