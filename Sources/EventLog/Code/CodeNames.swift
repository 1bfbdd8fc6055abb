import Foundation

/// Finds out what closures are called, from the files that their code is in.
///
/// A file is asked only where it has the build ID that the log names: it is the one that ran then.
package struct CodeNames {
    /// By origin; nil for what is not known.
    private var names: [String: ClosureName?] = [:]

    package init() {}

    /// Gives operations that run closures the function that the closure was written in as their kind, and,
    /// where they have no name of their own, a name that says which closure it is.
    ///
    /// - Parameter placesUnknown: those whose closure is not known are named after the place of its code.
    package mutating func nameOperations(in contents: inout EventLogContents, placesUnknown: Bool = false) {
        var origins: Set<String> = []
        for event in contents.events {
            if case .enqueued(let enqueue) = event.body, let origin = enqueue.origin {
                origins.insert(origin)
            }
        }
        guard !origins.isEmpty else { return }
        learn(origins)
        for index in contents.events.indices {
            guard case .enqueued(var enqueue) = contents.events[index].body, let origin = enqueue.origin,
                enqueue.kind == ClosureName.unknownKind
            else { continue }
            if let known = name(of: origin) {
                enqueue.kind = known.kind
                enqueue.name = enqueue.name ?? known.name
            } else if placesUnknown, enqueue.name == nil {
                enqueue.name = CodeOrigin(origin)?.place ?? origin
            }
            contents.events[index].body = .enqueued(enqueue)
        }
    }

    /// Reads each file once for all closures in it.
    package mutating func learn(_ origins: some Sequence<String>) {
        var byFile: [String: [(text: String, origin: CodeOrigin)]] = [:]
        for text in origins where names[text] == nil {
            names[text] = .some(nil)
            guard let origin = CodeOrigin(text), let buildID = origin.buildID, !buildID.isEmpty else {
                continue
            }
            byFile[origin.path + "\0" + buildID, default: []].append((text, origin))
        }
        for closures in byFile.values {
            guard let file = closures.first?.origin, let symbols = ELFSymbols(path: file.path),
                symbols.buildID == file.buildID
            else { continue }
            let linked = symbols.names(at: closures.map(\.origin.address))
            for closure in closures {
                names[closure.text] = .some(Self.name(linked[closure.origin.address] ?? []))
            }
        }
    }

    /// Nil where it is not known; ask `learn` before.
    package func name(of origin: String) -> ClosureName? { names[origin] ?? nil }

    /// Of all the functions whose code lies there: the linker may have kept the code of two that are alike
    /// only once.
    private static func name(_ linked: [String]) -> ClosureName? {
        let found = linked.map { ClosureName(linked: $0) }
        guard let first = found.first, found.allSatisfy({ $0?.kind == first?.kind }) else { return nil }
        return first
    }
}
