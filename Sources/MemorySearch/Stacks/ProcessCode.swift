import EventLog
import Foundation

/// The code that a process has loaded: what each address belongs to.
final class ProcessCode {
    /// A file with code, and what it says of its functions.
    private final class Loaded {
        let name: FunctionNames.File
        let elf: ELFFile
        let unwinding: UnwindTable?

        init?(_ path: String) {
            guard let elf = ELFFile(path: path) else { return nil }
            self.elf = elf
            name = FunctionNames.File(path: path, buildID: elf.buildID, loaded: .max)
            unwinding = UnwindTable(elf)
        }
    }

    private let process: Int32
    /// By their addresses.
    private let mappings: [MemoryMapping]
    /// By their paths.
    private var files: [String: Loaded?] = [:]
    private var rules: [UInt64: CallFrameRules?] = [:]
    private let names = FunctionNames()

    init(_ process: Int32, _ mappings: [MemoryMapping]) {
        self.process = process
        self.mappings = mappings.filter(\.isExecutable)
    }

    private func mapping(of address: UInt64) -> MemoryMapping? {
        let place = mappings.partitioningIndex { $0.end > address }
        return place < mappings.count && mappings[place].start <= address ? mappings[place] : nil
    }

    func contains(_ address: UInt64) -> Bool { mapping(of: address) != nil }

    private func file(of mapping: MemoryMapping) -> Loaded? {
        if let known = files[mapping.path] { return known }
        let file = mapping.file(of: process).flatMap(Loaded.init)
        files[mapping.path] = .some(file)
        return file
    }

    /// Nil where no file describes the code.
    func rules(at address: UInt64) -> CallFrameRules? {
        if let known = rules[address] { return known }
        let found = find(at: address)
        rules[address] = .some(found)
        return found
    }

    private func find(at address: UInt64) -> CallFrameRules? {
        guard let mapping = mapping(of: address), let file = file(of: mapping), let table = file.unwinding,
            let own = file.elf.address(ofOffset: address - mapping.start + mapping.offset)
        else { return nil }
        return CallFrameRules(at: own, in: file.elf, table)
    }

    /// The functions at these addresses. Reads the symbols of each file once.
    func functions(at addresses: Set<UInt64>) -> [UInt64: StackFrame] {
        var found: [UInt64: StackFrame] = [:]
        var offsets: [String: [UInt64: [UInt64]]] = [:]
        for address in addresses {
            guard let mapping = mapping(of: address) else { continue }
            found[address] = StackFrame(function: nil, module: mapping.path)
            guard file(of: mapping) != nil else { continue }
            let offset = address - mapping.start + mapping.offset
            offsets[mapping.path, default: [:]][offset, default: []].append(address)
        }
        for (path, places) in offsets {
            guard case .some(let loaded?) = files[path] else { continue }
            let file = loaded.name
            for (offset, name) in names.names(at: Set(places.keys), in: file) where name != file.name {
                for address in places[offset] ?? [] {
                    found[address] = StackFrame(function: name, module: path)
                }
            }
        }
        return found
    }
}

/// A function on a thread's stack, or one in which a task awaits something.
package struct StackFrame: Hashable, Sendable {
    /// Nil if the file does not name it.
    package let function: String?
    /// The path of the program or the library, as the process knows it; not safe for a terminal.
    package let module: String

    package init(function: String?, module: String) {
        self.function = function
        self.module = module
    }
}
