import Foundation
import TestTraces
import Testing

/// The story and the code of a page as pictures, in a real browser.
@Suite("Panels of text as PNG, in a browser", .needsBrowser)
struct PanelPictureTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try FlameCommandTests.write(FlameCommandTests.run(), to: "trace.json", in: folder)
        try #require(try CommandRun("report", "trace.json", in: folder).status == 0)
    }

    /// Saves with that button, and keeps the picture as `picture`, with its size and a function that says how
    /// many colours are in a rectangle of it.
    private static func save(_ button: String) -> String {
        """
        new Promise((done) => {
          URL.createObjectURL = (blob) => {
            createImageBitmap(blob).then((bitmap) => {
              const canvas = document.createElement('canvas');
              [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
              const context = canvas.getContext('2d', { willReadFrequently: true });
              context.drawImage(bitmap, 0, 0);
              window.picture = { type: blob.type, width: bitmap.width, height: bitmap.height,
                pixel: (x, y) => context.getImageData(x, y, 1, 1).data.slice(0, 3).join(),
                background: context.getImageData(0, 0, 1, 1).data.slice(0, 3).join(),
                colors: (x, y, width, height) => {
                  const { data } = context.getImageData(x, y, width, height);
                  const found = new Set();
                  for (let at = 0; at < data.length; at += 4) found.add(data.slice(at, at + 3).join());
                  return found.size;
                } };
              done(true);
            });
            return 'data:,';
          };
          document.getElementById('\(button)').click();
        })
        """
    }

    /// Words of an element that are not where they should be in the picture: their places have one colour.
    private static func missing(_ id: String, top: String) -> String {
        """
        (() => {
          const root = document.getElementById('\(id)');
          const frame = root.getBoundingClientRect();
          const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
          const range = document.createRange();
          const missing = [];
          let words = 0;
          while (walker.nextNode()) {
            const node = walker.currentNode;
            if (node.parentElement.tagName === 'title' || !node.parentElement.checkVisibility()) continue;
            for (const word of node.data.matchAll(/\\S+/g)) {
              range.setStart(node, word.index);
              range.setEnd(node, word.index + word[0].length);
              for (const { x, y, width, height } of range.getClientRects()) {
                if (width < 2) continue;
                words += 1;
                const place = [x - frame.x + root.scrollLeft + 12, y - frame.y + root.scrollTop + \(top)];
                const pixels = [...place, width, height].map((one) => Math.round(2 * one));
                if (picture.colors(...pixels) < 2) missing.push(word[0]);
              }
            }
          }
          return words < 5 ? `only ${words} words` : missing.join();
        })()
        """
    }

    @Test("the whole story is in its picture, also what is scrolled away, in light and in dark")
    func story() async throws {
        try await Browser.open(URL(filePath: folder.path("trace.html")), width: 1600, height: 620) {
            browser in
            try browser.expect(
                "(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 50)"
                    + "(document.getElementById('story'))", true)
            var backgrounds: [String] = []
            for scroll in [0, 40] {
                try browser.evaluate("document.getElementById('story').scrollTop = \(scroll)")
                try browser.evaluate(Self.save("story-save"))
                try browser.expect("picture.type", "image/png")
                try browser.expect(
                    "picture.height === 2 * (document.getElementById('story').scrollHeight + 24)", true)
                try browser.expect(Self.missing("story", top: "12"), "")
                backgrounds.append(try browser.text("picture.background"))
                try browser.press("t")
            }
            try browser.check(backgrounds[0] != backgrounds[1], "\(backgrounds)")
            try browser.press("Escape")
            try browser.expect("document.getElementById('story-save').hidden", true)
            try browser.expectQuiet()
        }
    }

    @Test("what a search marks in the story is marked in its picture, and in that of the code, until it ends")
    func marks() async throws {
        try await Browser.open(URL(filePath: folder.path("trace.html"))) { browser in
            // The middle of the left edge of each line that the browser marks, in the picture.
            let edges = """
                [...document.querySelectorAll('#story tbody tr, #story li')].map((line) => {
                  const [frame, root] = [line, story].map((one) => one.getBoundingClientRect());
                  const place = [frame.x - root.x + 12.25, frame.y - root.y + frame.height / 2 + 12];
                  const color = picture.pixel(...place.map((one) => Math.floor(2 * one)));
                  const isDrawn = color !== picture.background;
                  return [line.classList.contains('marked'), isDrawn];
                })
                """
            try browser.press("/")
            try browser.type("resize")
            try browser.evaluate(Self.save("story-save"))
            try browser.expect("\(edges).filter(([isMarked]) => isMarked).length > 0", true)
            try browser.expect("\(edges).every(([isMarked, isDrawn]) => isMarked === isDrawn)", true)
            try browser.press("Escape")
            try browser.evaluate(Self.save("story-save"))
            try browser.expect("\(edges).some(([, isDrawn]) => isDrawn)", false)
            // Boxes of the code have another border.
            try browser.click("#tab-code")
            try browser.click("[data-flame=run]")
            let box = """
                (() => {
                  const [box, root] = [document.querySelector('#flame .box.found rect'), flame]
                    .map((one) => one?.getBoundingClientRect());
                  if (!box) return 'not found';
                  const top = document.getElementById('flame-note').getBoundingClientRect().height + 12;
                  const place = [box.x - root.x + 12, box.y - root.y + box.height / 2 + top];
                  return picture.pixel(...place.map((one) => Math.round(2 * one)));
                })()
                """
            try browser.press("/")
            try browser.type("BLEND")
            try browser.evaluate(Self.save("tab-save"))
            let color = try browser.text(box)
            let text = try browser.text(
                "getComputedStyle(document.body).color.match(/\\d+/g).slice(0, 3).join()")
            try browser.check(color == text, "\(color), not \(text)")
            try browser.expectQuiet()
        }
    }

    @Test("graph and timeline are saved as they are seen, the timeline with its overview")
    func canvases() async throws {
        try await Browser.open(URL(filePath: folder.path("trace.html"))) { browser in
            for (button, canvases) in [("graph", ["graph"]), ("timeline", ["overview", "timeline"])] {
                let file = try browser.save("\(button)-save")
                try browser.check(file.name == "app-\(button).png", file.name)
                // How many pixels differ, if the sizes are equal.
                try browser.expect(
                    """
                    (async () => {
                      const bytes = Uint8Array.from(
                        atob('\(file.data.base64EncodedString())'), (one) => one.charCodeAt(0));
                      const saved = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
                      const canvases = \(canvases).map((id) => document.getElementById(id));
                      const width = Math.max(...canvases.map((one) => one.width));
                      const height = canvases.reduce((rest, one) => rest + one.height, 0);
                      if (saved.width !== width || saved.height !== height || width < 200) return 'size';
                      const [drawn, shown] = [0, 1].map(
                        () => new OffscreenCanvas(width, height).getContext('2d'));
                      drawn.drawImage(saved, 0, 0);
                      let top = 0;
                      for (const one of canvases) {
                        shown.drawImage(one, 0, top);
                        top += one.height;
                      }
                      const [a, b] = [drawn, shown].map(
                        (one) => one.getImageData(0, 0, width, height).data);
                      return a.filter((byte, at) => byte !== b[at]).length;
                    })()
                    """, 0)
            }
            try browser.expectQuiet()
        }
    }

    @Test("the picture of the code has every box with its name, and what it is of")
    func code() async throws {
        try await Browser.open(URL(filePath: folder.path("trace.html"))) { browser in
            try browser.click("#tab-code")
            try browser.click("[data-flame=run]")
            try browser.evaluate(Self.save("tab-save"))
            let note = "document.getElementById('flame-note').getBoundingClientRect().height"
            try browser.expect(Self.missing("flame", top: "(12 + \(note))"), "")
            // Boxes of several families, and of kinds.
            try browser.expect("picture.colors(0, 0, picture.width, picture.height) > 4", true)
            try browser.press("t")
            try browser.evaluate(Self.save("tab-save"))
            try browser.expect(Self.missing("flame", top: "(12 + \(note))"), "")
            try browser.expectQuiet()
        }
    }
}
