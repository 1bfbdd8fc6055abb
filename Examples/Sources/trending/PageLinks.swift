import Foundation

/// The `Link` header of a page: the URLs of other pages.
///
///     <https://…&page=2>; rel="next", <https://…&page=3>; rel="last"
struct PageLinks: Hashable, Sendable {
    /// By their `rel`.
    private(set) var urls: [String: URL] = [:]

    /// - Parameter header: invalid parts are skipped; nil gives no links.
    init(header: String?) {
        for link in (header ?? "").split(separator: ",") {
            let parts = link.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let target = parts.first, target.hasPrefix("<"), target.hasSuffix(">"),
                let url = URL(string: String(target.dropFirst().dropLast()))
            else { continue }
            for part in parts.dropFirst() where part.hasPrefix("rel=\"") && part.hasSuffix("\"") {
                urls[String(part.dropFirst(5).dropLast())] = url
            }
        }
    }

    /// The number of the last page; 1 without links to other pages.
    ///
    /// Only the number is used, so that the server cannot choose the address of requests.
    var lastPage: Int {
        guard let last = urls["last"],
            let items = URLComponents(url: last, resolvingAgainstBaseURL: true)?.queryItems,
            let page = items.first(where: { $0.name == "page" })?.value.flatMap(Int.init)
        else { return 1 }
        return max(1, page)
    }
}
