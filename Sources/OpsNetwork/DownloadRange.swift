import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `Content-Range`: `bytes 100-199/200` for a part, `bytes */200` if the requested part does not exist.
struct DownloadRange: Equatable {
    /// Nil without a part.
    let start: Int64?
    /// Nil if the server does not know it.
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

    /// Distinguishes this version of the file from all others, for `If-Range`. Nil if the download cannot be
    /// resumed.
    var validator: String? {
        // Decompressed data has other bytes than the parts.
        let encoding = value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
        guard encoding == "identity", value(forHTTPHeaderField: "Accept-Ranges") != "none" else { return nil }
        // A weak tag means that two versions are equivalent, not that they have the same bytes.
        if let tag = value(forHTTPHeaderField: "ETag") { return tag.hasPrefix("W/") ? nil : tag }
        return value(forHTTPHeaderField: "Last-Modified")
    }
}

extension URLRequest {
    /// This request for the whole file; or for the bytes from `offset` on, if the file has not changed.
    func asDownload(from offset: Int64? = nil, ifStill validator: String? = nil) -> URLRequest {
        var request = self
        // Requests the bytes of the file itself, not of a compressed form.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        request.setValue(offset.map { "bytes=\($0)-" }, forHTTPHeaderField: "Range")
        request.setValue(validator, forHTTPHeaderField: "If-Range")
        return request
    }

    /// The note for a partial file of this request's response; nil if a part of it cannot be requested.
    func note(validator: String?) -> PartialFile.Note? {
        guard let validator, let url, httpMethod ?? "GET" == "GET" else { return nil }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        (parts.user, parts.password) = (nil, nil)
        return parts.string.map { PartialFile.Note(url: $0, validator: validator) }
    }
}
