import Foundation
import GraphvizRendering
import Testing

@Suite("Rendering DOT in process")
struct GraphvizRendererTests {
    private static let small = #"digraph g { a [label=<<b>A</b>>] a -> b }"#

    @Test(
        "the renderer gives the format that was asked for",
        arguments: [
            (RenderFormat.svg, "<?xml"), (.png, "\u{89}PNG"), (.pdf, "%PDF-"),
        ])
    func formats(format: RenderFormat, signature: String) throws {
        let bytes = try GraphvizRenderer.render(dot: Self.small, format: format)
        #expect(bytes.starts(with: signature.unicodeScalars.map { UInt8($0.value) }))
        #expect(bytes.count > 500)
    }

    @Test("the renderer gives the same bytes twice", arguments: RenderFormat.allCases)
    func deterministic(format: RenderFormat) throws {
        let first = try GraphvizRenderer.render(dot: Self.small, format: format)
        #expect(try GraphvizRenderer.render(dot: Self.small, format: format) == first)
    }

    @Test(
        "the renderer rejects text that is not a graph with Graphviz's message, and then renders the next",
        arguments: ["digraph { a -> ", "nonsense", "", "digraph {} digraph {}", "digraph { a [label=<<b>] }"])
    func badGraphs(text: String) throws {
        let error = #expect(throws: RenderingError.self) {
            try GraphvizRenderer.render(dot: text, format: .svg)
        }
        #expect(error?.description.isEmpty == false)
        #expect(error?.description.contains("\n") == false)
        #expect(try !GraphvizRenderer.render(dot: Self.small, format: .svg).isEmpty)
    }

    @Test("the renderer says what to do if Graphviz does not draw an SVG, as without its plugin")
    func unreadableSVG() {
        // Graphviz takes a file for SVG only if it begins with <?xml.
        let error = #expect(throws: RenderingError.self) {
            try GraphvizRenderer.render(svg: #"<svg width="10" height="10"/>"#, format: .png)
        }
        #expect(error?.description.contains("rsvg-convert makes PNG and PDF of it") == true)
        #expect(throws: RenderingError.self) { try GraphvizRenderer.render(svg: "<?xml?>", format: .png) }
    }

    @Test("the renderer survives hundreds of nested clusters, where Graphviz crashes in freeing a layout")
    func manyClusters() throws {
        let clusters = (0..<550).map { "subgraph cluster\($0) { n\($0) subgraph clusterin\($0) { m\($0) } }" }
        let edges = (1..<550).map { "n\($0 / 2) -> m\($0)" }
        let dot = "digraph g { \((clusters + edges).joined(separator: "\n")) }"
        for _ in 0..<2 {
            let svg = String(decoding: try GraphvizRenderer.render(dot: dot, format: .svg), as: UTF8.self)
            #expect(svg.components(separatedBy: #"class="cluster""#).count == 1_101)
        }
    }

    @Test("the renderer renders from many threads at once, one after the other")
    func manyThreads() throws {
        let expected = try GraphvizRenderer.render(dot: Self.small, format: .svg)
        let results = Results()
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            results.add(try? GraphvizRenderer.render(dot: Self.small, format: .svg))
        }
        #expect(results.all.count == 16 && results.all.allSatisfy { $0 == expected })
    }
}

/// `@unchecked Sendable` is sound because every access to `results` holds the lock.
private final class Results: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [[UInt8]?] = []

    func add(_ result: [UInt8]?) { lock.withLock { results.append(result) } }

    var all: [[UInt8]?] { lock.withLock { results } }
}
