import Foundation
package import Testing

/// A text that the tests expect, kept in the folder `Tests/Goldens`.
///
/// `OPVIZ_RECORD_GOLDENS=1 swift test` writes what the tests produce instead of comparing; the difference is
/// then read in `git diff`.
package struct Golden {
    package let file: String

    package init(_ file: String) { self.file = file }

    package func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Goldens/\(file)")
        if ProcessInfo.processInfo.environment["OPVIZ_RECORD_GOLDENS"] == "1" {
            try Data(text.utf8).write(to: url)
            return
        }
        let expected = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        #expect(text == expected, "differs from Goldens/\(file)", sourceLocation: sourceLocation)
    }
}
