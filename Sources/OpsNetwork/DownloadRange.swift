import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `Content-Range`: `bytes 100-199/200` of a part, `bytes */200` where the part that was asked for is not
/// there.
struct DownloadRange: Equatable {
    /// Nil without a part.
    let start: Int64?
    /// Nil where the server does not know.
    let total: Int64?

    init?(_ header: String) {
        let words = header.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let sides = words[1].split(separator: "/")
        guard sides.count == 2 else { return nil }
        start = sides[0].split(separator: "-").first.flatMap { Int64($0) }
        total = Int64(sides[1])
    }
}

extension HTTPURLResponse {
    var contentRange: DownloadRange? {
        value(forHTTPHeaderField: "Content-Range").flatMap { DownloadRange($0) }
    }

    /// What tells this version of the file from every other: for `If-Range`. Nil where a download cannot be
    /// gone on with.
    var validator: String? {
        // What was decompressed has other bytes than the parts.
        let encoding = value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
        guard encoding == "identity", value(forHTTPHeaderField: "Accept-Ranges") != "none" else { return nil }
        // A weak tag says that two versions are as good, not that they are the same bytes.
        if let tag = value(forHTTPHeaderField: "ETag") { return tag.hasPrefix("W/") ? nil : tag }
        return value(forHTTPHeaderField: "Last-Modified")
    }
}

extension URLRequest {
    /// This request for the bytes of the whole file, or those from `offset` on if the file is still the same.
    func asDownload(from offset: Int64? = nil, ifStill validator: String? = nil) -> URLRequest {
        var request = self
        // The bytes of the file, and not of a compressed form of it.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        request.setValue(offset.map { "bytes=\($0)-" }, forHTTPHeaderField: "Range")
        request.setValue(validator, forHTTPHeaderField: "If-Range")
        return request
    }

    /// What a partial file of this request's answer is noted with; nil where a part of it cannot be asked
    /// for.
    func note(validator: String?) -> PartialFile.Note? {
        guard let validator, let url, httpMethod ?? "GET" == "GET" else { return nil }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        (parts.user, parts.password) = (nil, nil)
        return parts.string.map { PartialFile.Note(url: $0, validator: validator) }
    }
}
