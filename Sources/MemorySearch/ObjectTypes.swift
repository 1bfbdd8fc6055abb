import Foundation

/// The types of Swift objects in a process.
final class ObjectTypes {
    enum Object: Hashable {
        /// An instance of a class, with its name.
        case instance(String)
        /// What a closure has captured, or a variable that closures share.
        case captured
        /// Storage of an array, a dictionary or the like.
        case storage
        case task
        case unknown
    }

    private let copy: MemoryCopy
    private let runtime: SwiftRuntime
    private var known: [UInt64: Object] = [:]

    /// Of metadata, from `ABI/MetadataKind.def` of Swift; of descriptors of types, from
    /// `ABI/MetadataValues.h`.
    private enum Kind {
        static let instance: UInt64 = 0
        static let captured: ClosedRange<UInt64> = 0x400...0x402
        static let types: ClosedRange<UInt32> = 16...18
    }
    private static let descriptor: UInt64 = 40
    private static let longestName = 512

    init(_ copy: MemoryCopy, _ runtime: SwiftRuntime) {
        (self.copy, self.runtime) = (copy, runtime)
    }

    func object(_ block: GlibcHeap.Block) -> Object {
        guard block.size >= 16, let type = copy.word(block.start) else { return .unknown }
        if let object = known[type] { return object }
        let object = read(type)
        known[type] = object
        return object
    }

    private func read(_ type: UInt64) -> Object {
        if type == runtime.task || type == runtime.piece { return .task }
        guard type & 7 == 0, copy.mapping(of: type) != nil, let kind = word(type) else { return .unknown }
        if Kind.captured.contains(kind) { return .captured }
        guard kind == Kind.instance, let descriptor = word(type + Self.descriptor),
            let name = name(descriptor)
        else { return .unknown }
        return name.hasPrefix("_") && name.contains("Storage") ? .storage : .instance(name)
    }

    /// The name of a type, with those that it is nested in.
    private func name(_ descriptor: UInt64, depth: Int = 0) -> String? {
        guard descriptor & 3 == 0, let flags = half(descriptor), Kind.types.contains(flags & 31),
            let name = text(relative(descriptor + 8))
        else { return nil }
        guard depth < 4, var parent = relative(descriptor + 4) else { return name }
        if parent & 1 != 0 { parent = word(parent & ~1) ?? 0 }
        return self.name(parent, depth: depth + 1).map { "\($0).\(name)" } ?? name
    }

    private func relative(_ address: UInt64) -> UInt64? {
        half(address).map { address &+ UInt64(bitPattern: Int64(Int32(bitPattern: $0))) }
    }

    private func text(_ address: UInt64?) -> String? {
        guard let address, let bytes = bytes(address, Self.longestName) else { return nil }
        let name = bytes.prefix { $0 != 0 }
        guard !name.isEmpty, name.count < bytes.count else { return nil }
        return String(validating: name, as: UTF8.self)
    }

    private func half(_ address: UInt64) -> UInt32? {
        bytes(address, 4)?.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }

    private func word(_ address: UInt64) -> UInt64? {
        copy.word(address) ?? bytes(address, 8)?.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }

    /// Bytes that the process never changes, such as descriptors of types: they were not copied, but are
    /// still there.
    private func bytes(_ address: UInt64, _ count: Int) -> [UInt8]? {
        guard let mapping = copy.mapping(of: address), mapping.isReadable else { return nil }
        let bytes = ProcessMemory.bytes(copy.process, address, min(count, Int(mapping.end - address)))
        return bytes.isEmpty ? nil : bytes
    }
}
