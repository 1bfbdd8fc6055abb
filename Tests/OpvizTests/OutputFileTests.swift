import Foundation
import Testing

@testable import opviz

@Suite("An output file")
struct OutputFileTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test("that is a link stays one: what it leads to is replaced")
    func link() throws {
        try "old".write(toFile: folder.path("real.svg"), atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.svg"), withDestinationPath: "real.svg")
        try OutputFile(replacing: folder.path("link.svg")).write(Array("new".utf8))
        let manager = FileManager.default
        #expect(try manager.destinationOfSymbolicLink(atPath: folder.path("link.svg")) == "real.svg")
        #expect(try String(contentsOfFile: folder.path("real.svg"), encoding: .utf8) == "new")
        #expect(try folder.names == ["link.svg", "real.svg"])
    }

    @Test("in a folder that is not there is an error, with the reason")
    func noFolder() {
        let error = #expect(throws: CommandError.self) {
            try OutputFile(replacing: folder.path("missing/a.svg")).write([1])
        }
        #expect(error?.status == .cannotCreate && error?.sentence.contains("No such file") == true)
    }
}
