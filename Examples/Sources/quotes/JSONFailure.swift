import Foundation

/// A sentence with the error in received JSON, and its position.
struct JSONFailure: Error, CustomStringConvertible {
    let description: String

    init(_ error: DecodingError, in data: Data) {
        description =
            switch error {
            case .keyNotFound(let key, let context):
                "key '\(key.stringValue)' is missing\(Self.place(context.codingPath))"
            case .valueNotFound(_, let context):
                "\(Self.path(context.codingPath)) has no value"
            case .typeMismatch(let type, let context):
                "\(Self.path(context.codingPath)) is not \(Self.words(for: type))"
            // The decoder does not report where the JSON is invalid.
            case .dataCorrupted(let context) where context.codingPath.isEmpty:
                Self.syntaxError(in: data).map { "it is not JSON: \($0)" }
                    ?? "a number in it is too large, or not whole"
            case .dataCorrupted(let context):
                "\(Self.path(context.codingPath)) is not valid: \(context.debugDescription)"
            @unknown default:
                "\(error)"
            }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "" : " in \(self.path(path))"
    }

    /// `[3].author`
    private static func path(_ path: [any CodingKey]) -> String {
        let steps = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
        return steps.isEmpty ? "the whole" : steps.hasPrefix(".") ? String(steps.dropFirst()) : steps
    }

    private static func words(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Int.Type: "a whole number"
        case is any RangeReplaceableCollection.Type: "a list"
        case is any ExpressibleByDictionaryLiteral.Type: "an object"
        default: "a \(type)"
        }
    }

    /// Nil if it is valid JSON.
    private static func syntaxError(in data: Data) -> String? {
        do {
            _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
            return nil
        } catch {
            return (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
                ?? error.localizedDescription
        }
    }
}

extension Decodable {
    /// - Throws: a `JSONFailure`.
    init(json data: Data) throws {
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch let error as DecodingError {
            throw JSONFailure(error, in: data)
        }
    }
}
