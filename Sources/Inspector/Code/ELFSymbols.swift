import Foundation

/// The functions of a program or library, as the symbol table of its ELF file has them. Nothing in the file is trusted.
struct ELFSymbols {
    private struct Function {
        let start: UInt64
        let size: UInt64
        /// In the file.
        let name: Int
    }

    private let bytes: Data
    /// In the order of their addresses.
    private let functions: [Function]

    /// Nil where there is no such file, or it is none of that sort.
    init?(path: String) {
        var status = stat()
        // Nothing but a file: the name comes from a trace.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        else { return nil }
        self.init(bytes)
    }

    init?(_ bytes: Data) {
        self.bytes = bytes
        guard bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) else { return nil }
        let reader = ELFReader(bytes: bytes)
        let (sections, size, count) = (reader.word(40), reader.half(58), reader.half(60))
        guard size == 64 else { return nil }
        let headers = (0..<count).compactMap { index -> Int? in
            guard let start = reader.offset(sections, plus: index * 64), start + 64 <= bytes.count else {
                return nil
            }
            return start
        }
        // The whole table where it was not stripped, else that of the dynamic linker.
        let (whole, dynamic) = (2, 11)
        guard
            let table = headers.first(where: { reader.quad($0 + 4) == whole })
                ?? headers.first(where: { reader.quad($0 + 4) == dynamic }),
            let entries = reader.offset(reader.word(table + 24), plus: 0),
            headers.indices.contains(reader.quad(table + 40))
        else { return nil }
        let texts = headers[reader.quad(table + 40)]
        guard let names = reader.offset(reader.word(texts + 24), plus: 0) else { return nil }
        let room = max(0, bytes.count - entries) / 24
        let isFunction = 2
        functions = (0..<min(room, Int(clamping: reader.word(table + 32) / 24))).compactMap { index in
            let entry = entries + index * 24
            guard Int(bytes[bytes.startIndex + entry + 4]) & 15 == isFunction, reader.half(entry + 6) != 0,
                let name = reader.offset(UInt64(reader.quad(entry)), plus: names)
            else { return nil }
            return Function(start: reader.word(entry + 8), size: reader.word(entry + 16), name: name)
        }.sorted { $0.start < $1.start }
    }

    /// The name of the function whose code is at `address`, as it is linked.
    func name(at address: UInt64) -> String? {
        var (low, high) = (0, functions.count)
        while low < high {
            let middle = (low + high) / 2
            if functions[middle].start <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let found = functions[low - 1]
        guard address - found.start < max(found.size, 1), found.name < bytes.count else { return nil }
        let text = bytes[(bytes.startIndex + found.name)...].prefix(4_096).prefix { $0 != 0 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
}

/// Numbers in an ELF file; 0 where the file ends before.
private struct ELFReader {
    let bytes: Data

    private func number(_ offset: Int, _ size: Int) -> UInt64 {
        guard offset >= 0, offset <= bytes.count - size else { return 0 }
        let start = bytes.startIndex + offset
        return bytes[start..<start + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func half(_ offset: Int) -> Int { Int(number(offset, 2)) }

    func quad(_ offset: Int) -> Int { Int(number(offset, 4)) }

    func word(_ offset: Int) -> UInt64 { number(offset, 8) }

    /// Nil where that is not within the file.
    func offset(_ start: UInt64, plus more: Int) -> Int? {
        guard start <= UInt64(bytes.count), more <= bytes.count - Int(start) else { return nil }
        return Int(start) + more
    }
}
