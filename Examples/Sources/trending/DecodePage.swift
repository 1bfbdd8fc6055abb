import Foundation
import Ops

/// Makes repositories of a page's bytes, which it takes from the operation that fetches them.
final class DecodePage: TransformOperation<Data, SearchPage>, @unchecked Sendable {
    override func transform(_ data: Data) async throws -> SearchPage { try Self.page(data) }

    static func page(_ data: Data) throws -> SearchPage {
        let extraTime = ExtraTime()
        defer { extraTime.spend() }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            // What `.iso8601` throws does not name the field.
            let container = try decoder.singleValueContainer()
            if let date = try? Date(container.decode(String.self), strategy: .iso8601) { return date }
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date")
        }
        do {
            return try decoder.decode(SearchPage.self, from: data)
        } catch let error as DecodingError {
            throw ShapeFailure(error, size: data.count)
        }
    }
}

/// The same on the queue's thread, and not in a task.
final class DecodePageOnThread: SynchronousOperation<SearchPage>, @unchecked Sendable {
    init(from fetch: some ResultOperation<Data>) {
        super.init { try DecodePage.page(fetch.get()) }
        addDependency(fetch)
    }
}

/// The error for an answer that is not a page. It states the difference: `items[3].stargazers_count is
/// missing`.
struct ShapeFailure: Error, Hashable, CustomStringConvertible {
    let description: String

    /// - Parameter size: of the answer, in bytes.
    init(_ error: DecodingError, size: Int) {
        switch error {
        case .keyNotFound(let key, let context):
            description = "\((context.codingPath + [key]).path) is missing"
        case .valueNotFound(_, let context):
            description = "\(context.codingPath.path) is null"
        case .typeMismatch(_, let context):
            description = "\(context.codingPath.path): \(context.debugDescription)"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            description = "the answer of \(size) bytes is not JSON"
        case .dataCorrupted(let context):
            description = "\(context.codingPath.path): \(context.debugDescription)"
        @unknown default:
            description = String(describing: error)
        }
    }
}

extension [any CodingKey] {
    /// `items[3].full_name`
    fileprivate var path: String {
        let path = reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
        return path.isEmpty ? "the answer" : path
    }
}
