import Foundation
import Testing

@testable import GraphvizRendering

@Suite("The date in a PDF")
struct PDFDateTests {
    private func removed(_ text: String) -> String {
        String(decoding: PDFDate.removed(from: Array(text.utf8)), as: UTF8.self)
    }

    @Test("the date is the same whenever it was written, and as long as before")
    func same() {
        let first = removed("<< /Creator (c)\n   /CreationDate (D:20261121204100Z)\n>>\n99")
        #expect(first == "<< /Creator (c)\n   /CreationDate (D:20000101000000Z)\n>>\n99")
        #expect(removed("<< /Creator (c)\n   /CreationDate (D:19991231235959Z)\n>>\n99") == first)
        #expect(removed("/CreationDate (D:20261121214101+01'00)") == "/CreationDate (D:20000101000000+00'00)")
        #expect(removed("/CreationDate (D:20261121114101-09'30)") == "/CreationDate (D:20000101000000+00'00)")
    }

    @Test(
        "the date is the only change, even if the bytes end early",
        arguments: [
            "", "/", "/CreationDate", "/CreationDate (D:", "/ModDate (D:20261121204100Z)", "%PDF-1.5 123",
        ])
    func others(text: String) { #expect(removed(text) == text) }

    @Test("the date is not in any picture")
    func rendered() throws {
        let bytes = try GraphvizRenderer.render(dot: "digraph g { a -> b }", format: .pdf)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("/CreationDate (D:20000101000000"))
        #expect(text.components(separatedBy: "/CreationDate").count == 2)
    }
}
