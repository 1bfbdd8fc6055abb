import Foundation

/// The files on the server.
enum SampleFiles {
    static let chapters = ["chapter-1", "chapter-2", "chapter-3", "chapter-4"]
    static let atlas = "atlas"
    /// Bytes.
    static let atlasHalf = 500_000
    static let pictures = ["picture-1", "picture-2", "picture-3", "picture-4"]
    static let parts = ["part-1", "part-2"]
    static let newParts = ["new-part-1", "new-part-2"]
    /// A file that is missing on the server.
    static let missing = "part-3"

    static let all: [String: Data] = {
        let names = chapters + pictures + parts + newParts
        var files = Dictionary(uniqueKeysWithValues: names.map { ($0, data(200_000, of: $0)) })
        files[atlas] = data(2 * atlasHalf, of: atlas)
        return files
    }()

    /// Other bytes for every name.
    private static func data(_ count: Int, of name: String) -> Data {
        var state = name.utf8.reduce(UInt64(1)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        var data = Data(capacity: count + 8)
        while data.count < count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            withUnsafeBytes(of: (state ^ (state >> 29)).littleEndian) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }
}
