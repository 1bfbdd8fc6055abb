import Foundation
import Ops

/// Runs operations of tens of thousands of types, among them more implementations of `main` than the recorder
/// has replacements for, and has each say in its body which one it is.
///
///     TypeFlood LOG
@main
struct TypeFlood {
    static func main() throws {
        try recorder.start(writingTo: CommandLine.arguments[1])
        let queue = InstrumentedQueue(recorder: recorder)
        var rest = ownClasses.enumerated().makeIterator()
        let types = Self.types(175)
        for (row, first) in types.enumerated() {
            for (column, second) in types.enumerated() {
                let number = row * types.count + column
                queue.addOperation(work(number, first, second))
                // The classes that use the replacements up come in between.
                guard number % 50 == 0, let own = rest.next() else { continue }
                queue.addOperation(own.element.init("own", own.offset))
            }
            queue.waitUntilAllOperationsAreFinished()
        }
        // Once more, when it is known of each class how it is observed.
        for (number, own) in ownClasses.enumerated() { queue.addOperation(own.init("again", number)) }
        for (number, type) in types.enumerated() { queue.addOperation(late(number, type)) }
        queue.waitUntilAllOperationsAreFinished()
        try recorder.stop()
    }

    /// `count` types, created while the program runs.
    private static func types(_ count: Int) -> [Any.Type] {
        func optional<Value>(_ type: Value.Type) -> Any.Type { Value?.self }
        func array<Value>(_ type: Value.Type) -> Any.Type { [Value].self }
        var types: [Any.Type] = [Int.self]
        for index in 0..<count { types += [optional(types[index]), array(types[index])] }
        return Array(types.prefix(count))
    }

    private static func work<First, Second>(_ number: Int, _: First.Type, _: Second.Type) -> Numbered {
        Work<First, Second>("work", number)
    }

    private static func late<Value>(_ number: Int, _: Value.Type) -> Numbered { Late<Value>("late", number) }
}

private let recorder = Recorder()

/// An operation with a number in its name.
class Numbered: Operation, @unchecked Sendable {
    private let group: String
    fileprivate let number: Int

    required init(_ group: String, _ number: Int) {
        self.group = group
        self.number = number
        super.init()
        name = "\(group) \(number)"
    }

    /// Marks the log in the words of the name; `number` is what the implementation of `main` holds.
    final func say(_ number: Int) { recorder.mark("\(group) \(number)") }
}

/// All these types share one implementation, which says its own word, should it be called for another class.
final class Work<First, Second>: Numbered, @unchecked Sendable {
    override func main() { recorder.mark("work \(number)") }
}

/// A generic class that comes when the replacements are used up.
final class Late<Value>: Numbered, @unchecked Sendable {
    override func main() { recorder.mark("late \(number)") }
}
