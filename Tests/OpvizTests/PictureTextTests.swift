import Foundation
import Inspector
import Testing

/// Texts are measured in the font that the browser has instead of Helvetica.
@Suite("The texts of pictures, in a browser", .needsBrowser)
struct PictureTextTests {

    /// Every picture among the goldens and in the documentation. Those of runs on other machines have their
    /// fonts.
    private static var pictures: [URL] {
        ["Tests/Goldens", "Documentation", "Documentation/hazards", "Documentation/sample"].flatMap {
            folder in
            let folder = Repository.url.appending(path: folder)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasSuffix(".svg") && $0 != "swift-build.svg" }.sorted().map {
                folder.appending(path: $0)
            }
        }
    }

    @Test("every text lies within its picture and its box, and no other text is over it")
    func fit() async throws {
        let folder = try Folder()
        let page = URL(filePath: folder.path("pictures.html"))
        var html = "<!doctype html><meta charset=\"utf-8\"><body>"
        #expect(Self.pictures.count > 30)
        for picture in Self.pictures {
            let svg = try String(contentsOf: picture, encoding: .utf8)
            let start = try #require(svg.range(of: "<svg")).lowerBound
            let inert = svg[start...].replacing(/<script>.*?<\/script>/.dotMatchesNewlines(), with: "")
            html += "<div class=\"picture\" data-name=\"\(picture.lastPathComponent)\">\(inert)</div>"
        }
        try html.write(to: page, atomically: true, encoding: .utf8)
        let found = try await Browser.open(page) { try $0.text(Self.overflows) }
        #expect(found == "")
    }

    @Test("no character is wider than it was estimated to be, also in bold")
    func estimate() async throws {
        let folder = try Folder()
        let page = URL(filePath: folder.path("widths.html"))
        try "<!doctype html><canvas></canvas>".write(to: page, atomically: true, encoding: .utf8)
        let characters =
            (32..<127).map { String(UnicodeScalar(UInt8($0))) }
            + "…·→×≈»⇢—–äöüéßñ●○◉µ".map(String.init)
        for isBold in [false, true] {
            let measured = try await Browser.open(page) { browser in
                try browser.text(
                    """
                    (() => {
                      const context = document.querySelector('canvas').getContext('2d');
                      context.font = '\(isBold ? "bold " : "")100px Helvetica, Arial, sans-serif';
                      return \(characters).map((text) => context.measureText(text).width).join(' ');
                    })()
                    """)
            }
            let widths = measured.split(separator: " ").compactMap { Double($0) }
            #expect(widths.count == characters.count)
            let wider = zip(characters, widths).filter { character, width in
                width > SVGTextWidth.pixels(character, size: 100, isBold: isBold) + 0.1
            }
            #expect(wider.map(\.0) == [], "bold: \(isBold)")
        }
    }

    /// A line for each text that leaves its picture, its node, the bar that it begins in, or that is over
    /// another text.
    private static let overflows = """
        (() => {
          const lines = [], box = (element) => element.getBoundingClientRect();
          for (const holder of document.querySelectorAll('.picture')) {
            const svg = holder.querySelector('svg'), area = box(svg);
            const texts = [...svg.querySelectorAll('text')]
              .filter((text) => text.textContent.trim() && box(text).width > 0);
            const boxes = texts.map(box);
            const say = (index, what) => {
              lines.push(`${holder.dataset.name}: ${texts[index].textContent}: ${what}`);
            };
            texts.forEach((text, index) => {
              const mine = boxes[index];
              const leaves = (outer) => mine.left < outer.left - 1 || mine.right > outer.right + 1;
              const isBeyond = mine.top < area.top - 1 || mine.bottom > area.bottom + 1;
              if (leaves(area) || isBeyond) say(index, 'leaves the picture');
              const group = text.closest('g.node, g.cluster, g.operation, g.box');
              const drawn = group ? [...group.querySelectorAll('polygon, path, ellipse, rect')] : [];
              const shapes = drawn
                .filter((shape) => shape.getAttribute('stroke') !== 'none' || shape.tagName === 'rect')
                .map(box)
                .filter((shape) => shape.width > 0)
                .filter((shape) => shape.left <= mine.left + 1 && shape.right >= mine.left + 1);
              if (shapes.length > 0 && shapes.every(leaves)) say(index, 'leaves its box');
              for (let other = 0; other < index; other += 1) {
                const its = boxes[other];
                const width = Math.min(mine.right, its.right) - Math.max(mine.left, its.left);
                const height = Math.min(mine.bottom, its.bottom) - Math.max(mine.top, its.top);
                if (width > 1 && height > 4) say(index, `is over ${texts[other].textContent}`);
              }
            });
          }
          return lines.join('\\n');
        })()
        """
}
