import Foundation
import OpsNetwork

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the API is asked for: the repositories created after a day, those with the most stars first.
struct TrendingSearch: Sendable {
    static let perPage = 25

    let api: URL
    /// Whatever was created on a later day, in UTC.
    let since: Date
    var session = NetworkSession.shared

    /// The search for what was created in the seven days that end with the day of `today`.
    static func lastWeek(of today: Date, at api: URL) -> TrendingSearch {
        TrendingSearch(api: api, since: today.addingTimeInterval(-7 * 86_400))
    }

    /// `2026-11-14`
    var day: String { since.formatted(.iso8601.year().month().day()) }

    /// - Parameter page: from 1.
    func request(page: Int) -> URLRequest {
        let url = api.appending(path: "search/repositories").appending(queryItems: [
            URLQueryItem(name: "q", value: "created:>\(day)"),
            URLQueryItem(name: "sort", value: "stars"),
            URLQueryItem(name: "order", value: "desc"),
            URLQueryItem(name: "per_page", value: "\(Self.perPage)"),
            URLQueryItem(name: "page", value: "\(page)"),
        ])
        var request = URLRequest(url: url)
        request.setValue("application/vnd.github+json", forHTTPHeaderField: "Accept")
        request.setValue("2022-11-28", forHTTPHeaderField: "X-GitHub-Api-Version")
        return request
    }
}
