import InspectorColumns
import InspectorPageAssets

/// A tree of stacks as SVG: a row of boxes for each level, the root on top, the width of a box its share.
///
/// The file is at most about 3 MB, whatever the tree: boxes narrower than a fraction of a pixel are drawn as
/// one for each caller. A script in the file enlarges what is clicked, and searches.
struct FlameDrawing {
    static let width = 1200.0
    static let margin = 12.0
    static let rowHeight = 18.0
    private static let mostBoxes = 4_000
    private static let mostLevels = 120
    /// The narrowest box, in pixels.
    private static let narrowest = 0.3
    /// Between boxes beside each other that are not too narrow for it.
    private static let gap = 0.6
    private static let textSize = 11.0

    let tree: FlameTree
    let theme: PictureTheme
    /// Attributes of a node's rectangle.
    let fill: (_ node: Int) -> String
    let tooltip: (_ node: Int) -> String

    static var chartWidth: Double { width - 2 * margin }

    /// The part of a tree that is drawn.
    static func drawn(_ tree: FlameTree) -> FlameTree {
        let least = Double(tree.total) * narrowest / chartWidth
        return tree.pruned(
            most: mostBoxes, levels: mostLevels, least: Int64(rounding: least, .up))
    }

    var levels: Int { Int(tree.nodes.reduce(0) { max($0, $1.level) }) + 1 }

    /// Draws the boxes below `top`, and returns where they end.
    func draw(top: Double, into svg: inout SVGDocument) -> Double {
        var starts = [Int64](repeating: 0, count: tree.nodes.count)
        // For each node, where its next child begins.
        var nexts = starts
        svg.group(id: "boxes") { svg in
            for (index, node) in tree.nodes.enumerated() {
                if node.parent >= 0 {
                    starts[index] = nexts[Int(node.parent)]
                    nexts[Int(node.parent)] = starts[index].saturatingAdd(node.total)
                }
                nexts[index] = starts[index]
                drawBox(index, at: starts[index], top: top, into: &svg)
            }
        }
        return top + Double(levels) * Self.rowHeight
    }

    private func drawBox(_ index: Int, at start: Int64, top: Double, into svg: inout SVGDocument) {
        let node = tree.nodes[index]
        let scale = Self.chartWidth / Double(max(1, tree.total))
        let x = Self.margin + Double(start) * scale
        let width = Double(node.total) * scale
        let y = top + Double(node.level) * Self.rowHeight
        let name = TerminalText.shortened(tree.label(index).name, toColumns: FlameWords.longestName)
        svg.group(
            class: "box",
            attributes:
                "data-level=\"\(node.level)\" data-at=\"\(start)\" data-length=\"\(node.total)\" "
                + "data-name=\"\(MarkupText.escaped(name))\"",
            tooltip: tooltip(index)
        ) { svg in
            svg.rectangle(
                x, y, width > Self.gap * 3 ? width - Self.gap : width, Self.rowHeight - 1, fill(index))
            svg.text(
                SVGTextWidth.fitting(name, pixels: width - 6, size: Self.textSize), x + 3,
                y + Self.rowHeight - 5.5, size: Self.textSize, fill: theme.text)
        }
    }

    /// The style of the boxes.
    var definitions: String {
        """
        <pattern id="kernel" width="6" height="6" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(45)">\
        <rect width="6" height="6" fill="\(theme.clusterFills[0])"/>\
        <rect width="2" height="6" fill="\(theme.fill(CodeFamily.kernel))"/></pattern>
        <style>.box { cursor: pointer } .box text { pointer-events: none }
        .box:hover rect, .box.selected rect { stroke: \(theme.text); stroke-width: 1.5 }
        .box.above { opacity: 0.55 } .box.other rect { fill-opacity: 0.25 }
        .box.found rect { stroke: \(theme.text); stroke-width: 1 } svg:focus { outline: none }</style>

        """
    }

    /// The script, and the line in which it shows the selected box and what it found. After the boxes.
    static func addControls(top: Double, theme: PictureTheme, into svg: inout SVGDocument) {
        svg.group(id: "detail") { svg in
            svg.text(hint, margin, top, size: 11, fill: theme.mutedText)
        }
        svg.script(String(decoding: PageAssets.flameScript, as: UTF8.self))
    }

    private static let hint =
        "Click a box, or use the arrow keys and Enter, to enlarge it. Escape shows everything again; / "
        + "searches."
}
