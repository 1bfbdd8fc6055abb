/// An SVG under construction: shapes in drawing order, in pixel coordinates.
///
/// Numbers have at most two decimals and no locale, so that equal pictures have equal bytes. Texts are
/// escaped here. Colours and attributes come from the program, never from a trace.
package struct SVGDocument {
    static let font = "Helvetica,Arial,sans-serif"

    private let width: Double
    private let theme: PictureTheme
    private let title: String
    private let definitions: String
    private var body = ""

    /// - Parameters:
    ///   - title: the text for screen readers, as it is in the trace.
    ///   - definitions: patterns and markers, as SVG.
    package init(width: Double, theme: PictureTheme, title: String, definitions: String) {
        self.width = width
        self.theme = theme
        self.title = title
        self.definitions = definitions
    }

    /// At most two decimals. Numbers that are too large or not finite become 0.
    package static func number(_ value: Double) -> String {
        let hundredths = (value * 100).rounded()
        guard abs(hundredths) < 1e15 else { return "0" }
        let count = Int64(hundredths)
        let (whole, rest) = (count.magnitude / 100, count.magnitude % 100)
        let sign = count < 0 ? "-" : ""
        if rest == 0 { return sign + String(whole) }
        if rest % 10 == 0 { return "\(sign)\(whole).\(rest / 10)" }
        return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    package mutating func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ attributes: String
    ) {
        body += "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\" "
        body += "height=\"\(Self.number(height))\" \(attributes)/>\n"
    }

    package mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ attributes: String) {
        path("M\(Self.number(x1)) \(Self.number(y1))L\(Self.number(x2)) \(Self.number(y2))", attributes)
    }

    package mutating func path(_ commands: String, _ attributes: String) {
        body += "<path d=\"\(commands)\" \(attributes)/>\n"
    }

    package enum Anchor: String { case start, middle, end }

    /// - Parameter y: the base line.
    package mutating func text(
        _ text: String, _ x: Double, _ y: Double, size: Double = 11, fill: String, anchor: Anchor = .start,
        isBold: Bool = false
    ) {
        body += "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" font-size=\"\(Self.number(size))\" "
        body += "fill=\"\(fill)\""
        if anchor != .start { body += " text-anchor=\"\(anchor.rawValue)\"" }
        if isBold { body += " font-weight=\"bold\"" }
        body += ">\(MarkupText.escaped(text))</text>\n"
    }

    /// Draws within a group that has a tooltip.
    package mutating func group(
        class name: String, attributes: String = "", tooltip: String, _ draw: (inout SVGDocument) -> Void
    ) {
        body += "<g class=\"\(name)\"" + (attributes.isEmpty ? "" : " " + attributes)
        body += "><title>\(MarkupText.escaped(tooltip))</title>\n"
        draw(&self)
        body += "</g>\n"
    }

    /// Draws within a group that a script can find.
    package mutating func group(id: String, _ draw: (inout SVGDocument) -> Void) {
        body += "<g id=\"\(id)\">\n"
        draw(&self)
        body += "</g>\n"
    }

    /// Adds a program of this project, which runs when a browser opens the file.
    package mutating func script(_ text: String) {
        body += "<script>//<![CDATA[\n\(text)//]]></script>\n"
    }

    /// The whole file.
    ///
    /// - Parameter role: what it is for screen readers: `img` if it cannot be operated.
    package func closed(height: Double, role: String = "img") -> String {
        let size = "\(Self.number(width))\" height=\"\(Self.number(height))"
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(size)" \
            viewBox="0 0 \(Self.number(width)) \(Self.number(height))" font-family="\(Self.font)" \
            role="\(role)">
            <title>\(MarkupText.escaped(title))</title>
            <defs>
            \(definitions)</defs>
            <rect width="\(size)" fill="\(theme.background)"/>
            \(body)</svg>

            """
    }
}
