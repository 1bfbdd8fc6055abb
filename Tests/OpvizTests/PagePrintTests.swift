import Foundation
import Testing

@Suite("A page on paper, in a browser", .needsBrowser, .needs("python3"))
struct PagePrintTests {
    @Test(
        "the shown table is whole on paper, within its width, up to a number of rows", arguments: [40, 2000])
    func table(operations count: Int) async throws {
        let folder = try Folder()
        try folder.makeTrace("random", count, to: "made.json")
        try #require(try CommandRun("report", "made.json", "-o", "page.html", in: folder).status == 0)
        try await Browser.open(URL(filePath: folder.path("page.html")), width: 720, height: 1000) { browser in
            let rows = "document.querySelectorAll('#operations-table [data-row]')"
            let before = try browser.number("\(rows).length")
            _ = try browser.call("Emulation.setEmulatedMedia", ["media": "print"])
            try browser.evaluate("window.dispatchEvent(new Event('beforeprint'))")
            try browser.expect("\(rows).length", min(count, 300))
            let note = try browser.text(
                "document.querySelector('#operations-table .rows').lastChild.textContent")
            try browser.check(note.hasPrefix("… 1,700 more") == (count > 300), note)
            let cut = try browser.evaluate(Self.cut) as? [String]
            try browser.check(cut == [], "\(cut ?? [])")
            let paper = try browser.call("Page.printToPDF")["data"] as? String ?? ""
            let document = String(decoding: Data(base64Encoded: paper) ?? Data(), as: UTF8.self)
            let pages = document.components(separatedBy: "/Type /Page\n").count - 1
            try browser.check(
                count < 300 ? (1...4).contains(pages) : (5...16).contains(pages), "\(pages) pages")
            try browser.evaluate("window.dispatchEvent(new Event('afterprint'))")
            _ = try browser.call("Emulation.setEmulatedMedia", ["media": ""])
            try browser.check(try browser.number("\(rows).length") <= before + 1, "it is still printed")
            try browser.expectQuiet()
        }
    }

    /// Cells that are cut, leave the paper, or are over the row below.
    private static let cut = """
        [...document.querySelectorAll('#operations-table [role=row] > *')].flatMap((cell) => {
          const { right, bottom } = cell.getBoundingClientRect();
          const next = cell.parentElement.nextElementSibling?.getBoundingClientRect();
          const isOver = right > innerWidth || (next && bottom > next.top + 1);
          return isOver || cell.scrollWidth > cell.clientWidth + 1 ? [cell.textContent] : [];
        }).slice(0, 5)
        """
}
