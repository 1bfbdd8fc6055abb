import Foundation

/// Finds the names of closures, from the files that their code is in. Each file is read once.
///
/// To be asked while those files are as they were when the trace was made: right after the program ran.
public struct CodeNames {
    private var files: [String: ELFSymbols?] = [:]
    private var names: [String: String] = [:]

    public init() {}

    /// Names operations without a name of their own after the closures that they run.
    public mutating func nameOperations(in contents: inout EventLogContents) {
        for index in contents.events.indices {
            guard case .enqueued(var enqueue) = contents.events[index].body, enqueue.name == nil,
                let origin = enqueue.origin
            else { continue }
            enqueue.name = name(of: origin)
            contents.events[index].body = .enqueued(enqueue)
        }
    }

    /// What the code at `path+0x1f` is called; the file's own name and the offset where that is not known.
    mutating func name(of origin: String) -> String {
        if let known = names[origin] { return known }
        let name = find(origin)
        names[origin] = name
        return name
    }

    private mutating func find(_ origin: String) -> String {
        guard let plus = origin.lastIndex(of: "+"), origin[plus...].hasPrefix("+0x"),
            let address = UInt64(origin[plus...].dropFirst(3), radix: 16)
        else { return origin }
        let path = String(origin[..<plus])
        let symbols: ELFSymbols?
        if let known = files[path] {
            symbols = known
        } else {
            symbols = ELFSymbols(path: path)
            files[path] = symbols
        }
        if let linked = symbols?.name(at: address) { return SwiftSymbolName.short(linked) }
        return "closure in " + (path as NSString).lastPathComponent + origin[plus...]
    }
}
