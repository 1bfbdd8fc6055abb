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

    private let memory: ProcessWords
    private let runtime: SwiftRuntime?
    private var known: [UInt64: Object] = [:]

    /// Of metadata, from `ABI/MetadataKind.def` of Swift; of descriptors of types, from
    /// `ABI/MetadataValues.h`.
    private enum Kind {
        static let instance: UInt64 = 0
        static let captured: ClosedRange<UInt64> = 0x400...0x402
        static let types: ClosedRange<UInt32> = 16...18
    }
    private static let descriptor: UInt64 = 40

    /// - Parameter runtime: nil without tasks.
    init(_ copy: MemoryCopy, _ runtime: SwiftRuntime?) {
        (memory, self.runtime) = (ProcessWords(copy), runtime)
    }

    func object(_ block: GlibcHeap.Block) -> Object {
        guard block.size >= 16, let type = memory.copy.word(block.start) else { return .unknown }
        if let object = known[type] { return object }
        let object = read(type)
        known[type] = object
        return object
    }

    private func read(_ type: UInt64) -> Object {
        if let runtime, type == runtime.task || type == runtime.piece { return .task }
        guard type & 7 == 0, let kind = memory.word(type) else { return .unknown }
        if Kind.captured.contains(kind) { return .captured }
        guard kind == Kind.instance, let name = name(ofClass: type) else { return .unknown }
        return name.hasPrefix("_") && name.contains("Storage") ? .storage : .instance(name)
    }

    /// The name of a class, with those of the types that it is nested in; nil for another type.
    ///
    /// - Parameter type: the address of its metadata.
    func name(ofClass type: UInt64) -> String? {
        memory.word(type &+ Self.descriptor).flatMap { name($0) }
    }

    private func name(_ descriptor: UInt64, depth: Int = 0) -> String? {
        guard descriptor & 3 == 0, let flags = memory.half(descriptor), Kind.types.contains(flags & 31),
            let name = memory.text(memory.relative(descriptor &+ 8))
        else { return nil }
        guard depth < 4, var parent = memory.relative(descriptor &+ 4) else { return name }
        if parent & 1 != 0 { parent = memory.word(parent & ~1) ?? 0 }
        return self.name(parent, depth: depth + 1).map { "\($0).\(name)" } ?? name
    }
}
