import EventLog
import Foundation
import InspectorText

/// What outputs say of a run: each figure by its name, with the first output that has it, and where another
/// says something else.
struct FigureLedger {
    /// A figure as a text for people has it, or in nanoseconds.
    private enum Value: Equatable {
        case text(String)
        case nanoseconds(Int64)

        var printed: String {
            switch self {
            case .text(let text): text
            case .nanoseconds(let time): DurationFormat.text(nanoseconds: time)
            }
        }

        /// Times are compared exactly, unless one of the two was rounded to be printed.
        static func == (one: Value, other: Value) -> Bool {
            if case .nanoseconds(let left) = one, case .nanoseconds(let right) = other {
                return left == right
            }
            return one.printed == other.printed
        }
    }

    private var entries: [String: (value: Value, output: String)] = [:]
    private(set) var contradictions: [String] = []
    /// How many figures were compared with another output's.
    private(set) var compared = 0

    private mutating func add(_ name: String, _ value: Value, in output: String) {
        guard let known = entries[name] else {
            entries[name] = (value, output)
            return
        }
        compared += 1
        if known.value != value {
            contradictions.append("\(name): \(known.value) in \(known.output), \(value) in \(output)")
        }
    }

    mutating func add(_ name: String, _ text: String, in output: String) {
        add(name, .text(text), in: output)
    }

    mutating func add(_ name: String, _ count: Int?, in output: String) {
        add(name, count.map { Prose.grouped($0) } ?? "missing", in: output)
    }

    mutating func add(_ name: String, nanoseconds: Int64?, in output: String) {
        add(name, nanoseconds.map { .nanoseconds($0) } ?? .text("missing"), in: output)
    }
}

/// An object of an output for programs.
struct ReadObject {
    let members: [String: Any]

    init(_ members: [String: Any]) { self.members = members }

    init(_ bytes: some Sequence<UInt8>) throws {
        let value = try JSONSerialization.jsonObject(with: Data(bytes))
        members = value as? [String: Any] ?? [:]
    }

    /// The objects of JSON Lines.
    static func lines(_ bytes: [UInt8]) throws -> [ReadObject] {
        try bytes.split(separator: UInt8(ascii: "\n")).map { try ReadObject($0) }
    }

    subscript(name: String) -> ReadObject { ReadObject(members[name] as? [String: Any] ?? [:]) }

    func list(_ name: String) -> [ReadObject] {
        (members[name] as? [[String: Any]] ?? []).map { ReadObject($0) }
    }

    func text(_ name: String) -> String? { members[name] as? String }
    func number(_ name: String) -> Int64? { (members[name] as? NSNumber)?.int64Value }
    func count(_ name: String) -> Int? { number(name).map { Int($0) } }
}

extension [ReadObject] {
    func sum(_ name: String) -> Int64 { reduce(0) { $0 + ($1.number(name) ?? 0) } }
    func count(_ name: String) -> Int { Int(sum(name)) }
}
