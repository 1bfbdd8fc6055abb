import Foundation
import Testing

@testable import opviz

@Suite("A new file")
struct NewFileTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test("a new file is not seen until it is whole, and replaces what was there")
    func replaces() throws {
        try "old".write(toFile: folder.path("a.svg"), atomically: false, encoding: .utf8)
        let file = try #require(NewFile(in: folder.url.path))
        #expect(write(file.descriptor, "new", 3) == 3)
        #if os(Linux)
            #expect(try folder.names == ["a.svg"])
        #endif
        #expect(file.replace(folder.path("a.svg")))
        #expect(try folder.names == ["a.svg"])
        #expect(try String(contentsOfFile: folder.path("a.svg"), encoding: .utf8) == "new")
    }

    @Test("a new file that is given up leaves nothing")
    func discarded() throws {
        let file = try #require(NewFile(in: folder.url.path))
        file.discard()
        #expect(try folder.names == [])
        #expect(NewFile(in: folder.path("missing")) == nil)
    }

    @Test("a new file cannot take the place of a folder, and leaves nothing then")
    func folderInTheWay() throws {
        try FileManager.default.createDirectory(atPath: folder.path("a"), withIntermediateDirectories: true)
        try "x".write(toFile: folder.path("a/b"), atomically: false, encoding: .utf8)
        let file = try #require(NewFile(in: folder.url.path))
        #expect(!file.replace(folder.path("a")))
        #expect(try folder.names == ["a"])
    }
}
