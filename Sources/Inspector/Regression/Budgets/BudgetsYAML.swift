import Foundation
import Synchronization
import Yams

/// A text, a list, or keys with their values, from a file of budgets; with its line.
struct BudgetsItem: Sendable {
    indirect enum Content: Sendable {
        case text(String)
        case list([BudgetsItem])
        case keys([(key: String, line: Int, value: BudgetsItem)])
    }

    let line: Int
    let content: Content
}

/// Reads YAML; files of budgets use only its simplest parts.
///
/// A file may come from anybody: any contents take limited time and memory, and little of the caller's stack.
enum BudgetsYAML {
    /// The depth of nested lists and keys.
    private static let deepest = 4
    /// Texts, lists and keys. Aliases can turn a few lines into billions of items.
    private static let mostItems = 20_000
    /// libyaml allows a thousand levels of nesting, which take Yams about a megabyte in a debug build.
    private static let stack = 16 << 20

    /// - Returns: nil for an empty file.
    static func read(_ bytes: Data, named name: String) throws(BudgetsError) -> BudgetsItem? {
        guard let text = String(bytes: bytes, encoding: .utf8) else {
            throw BudgetsError(.notBudgets, file: name, "is not UTF-8")
        }
        if let line = lineOfCompoundKey(in: bytes) {
            throw BudgetsError(.notBudgets, file: name, line: line, "a key must be a string")
        }
        let made = Made()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            made.result.withLock { $0 = Result { () throws(BudgetsError) in try parse(text, named: name) } }
            done.signal()
        }
        thread.stackSize = stack
        thread.start()
        done.wait()
        return try made.result.withLock { $0 }?.get()
    }

    private final class Made: Sendable {
        let result = Mutex<Result<BudgetsItem?, BudgetsError>?>(nil)
    }

    private static func parse(_ text: String, named name: String) throws(BudgetsError) -> BudgetsItem? {
        do {
            // Without an encoding, Yams reads the environment.
            guard let root = try Parser(yaml: text, encoding: .utf8).singleRoot() else { return nil }
            var count = 0
            return try item(root, depth: 0, &count)
        } catch let error as YamlError {
            let (line, reason) = sentence(error, text)
            throw BudgetsError(.notBudgets, file: name, line: line, reason)
        } catch let error as Refusal {
            throw BudgetsError(.notBudgets, file: name, line: error.line, error.reason)
        } catch {
            throw BudgetsError(.notBudgets, file: name, "is not YAML: \(error)")
        }
    }

    private struct Refusal: Error {
        let line: Int?
        let reason: String
    }

    private static func item(_ node: Node, depth: Int, _ count: inout Int) throws -> BudgetsItem {
        let line = node.mark?.line ?? 1
        count += 1
        if count > mostItems {
            throw Refusal(
                line: nil, reason: "holds more than \(Prose.grouped(mostItems)) strings, lists and keys")
        }
        if depth > deepest { throw Refusal(line: line, reason: "is nested deeper than any budget") }
        switch node {
        case .scalar(let scalar): return BudgetsItem(line: line, content: .text(scalar.string))
        case .sequence(let nodes):
            return BudgetsItem(
                line: line, content: .list(try nodes.map { try item($0, depth: depth + 1, &count) }))
        case .mapping(let pairs):
            var keys: [(key: String, line: Int, value: BudgetsItem)] = []
            for (key, value) in pairs {
                let keyLine = key.mark?.line ?? line
                guard let text = key.scalar?.string else {
                    throw Refusal(line: keyLine, reason: "a key must be a string")
                }
                keys.append((text, keyLine, try item(value, depth: depth + 1, &count)))
            }
            return BudgetsItem(line: line, content: .keys(keys))
        case .alias: throw Refusal(line: line, reason: "an unknown alias")
        }
    }

    /// Yams compares the keys of each mapping. A key that is not a string may be an alias of a list of
    /// aliases of lists …, and take years to compare, so such a file is not parsed. The search goes byte by
    /// byte, including comments and quotation marks, so that nothing can hide such a key.
    private static func lineOfCompoundKey(in bytes: Data) -> Int? {
        let blanks = Set(" \t\r\n".utf8)
        var line = 1
        /// Ignores trailing blanks. Whether it is the end of a list, of keys, or of an alias.
        var isEndOfCompound = false
        var isAlias = false
        var last = UInt8(ascii: "\n")
        for byte in bytes {
            switch byte {
            case UInt8(ascii: ":") where isEndOfCompound || isAlias: return line
            case UInt8(ascii: "?") where !isWord(last) && !Set(")>]\"'?!".utf8).contains(last): return line
            case UInt8(ascii: "]"), UInt8(ascii: "}"): (isEndOfCompound, isAlias) = (true, false)
            case UInt8(ascii: "*"): (isEndOfCompound, isAlias) = (false, true)
            case UInt8(ascii: "\n"): line += 1
            case _ where blanks.contains(byte): break
            // Part of an alias' name, which has no blanks.
            case _ where isAlias && !blanks.contains(last): break
            default: (isEndOfCompound, isAlias) = (false, false)
            }
            last = byte
        }
        return nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || UnicodeScalar(byte).properties.isAlphabetic
            || UnicodeScalar(byte).properties.numericType != nil
            || byte == UInt8(ascii: "_")
    }

    /// The line at which a key is repeated; or, if it is written differently there, the line at which the
    /// keys begin.
    private static func lineOfSecond(_ key: String, in text: String, from first: Int) -> Int {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        let given = lines.indices.dropFirst(first - 1).filter { index in
            lines[index].drop { $0 == " " || $0 == "-" }.hasPrefix(key + ":")
        }
        return given.count > 1 ? given[1] + 1 : first
    }

    /// Translates an error of Yams, whose own descriptions include the text and have several lines.
    private static func sentence(_ error: YamlError, _ text: String) -> (line: Int?, reason: String) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return (mark.line, "is not YAML: \(TerminalText.escaped(problem))")
        case .reader(let problem, let offset, _, _):
            return (
                offset.map { text.prefix($0).utf8.count { $0 == UInt8(ascii: "\n") } + 1 },
                "is not YAML: \(TerminalText.escaped(problem))"
            )
        case .duplicatedKeysInMapping(let duplicates, let context):
            let key = duplicates.first ?? ""
            let name = TerminalText.shortened(key)
            return (
                lineOfSecond(key, in: text, from: context.mark.line), "\(name) is given more than once"
            )
        default: return (nil, "is not YAML")
        }
    }
}
