/// A web page under construction: texts, tables and pictures, one below the other. A single file that needs
/// no network and no other file, and runs no script: the page's policy does not let the browser.
///
/// Texts are escaped here; pictures and styles come from the program.
package struct HTMLDocument {
    private let theme: PictureTheme
    private let title: String
    private var body = ""

    /// - Parameter title: as it is in the trace; also the first heading.
    package init(title: String, theme: PictureTheme) {
        self.theme = theme
        self.title = MarkupText.escaped(title)
    }

    package mutating func heading(_ text: String) { body += "<h2>\(MarkupText.escaped(text))</h2>\n" }

    package enum Emphasis: String { case normal, strong, quiet }

    package mutating func paragraph(_ text: String, _ emphasis: Emphasis = .normal) {
        body += "<p class=\"\(emphasis.rawValue)\">\(MarkupText.escaped(text))</p>\n"
    }

    /// Lines that a reader copies, or whose columns matter.
    package mutating func lines(_ text: String) {
        // Newlines are escaped in texts, and are meant here.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        body += Self.scrolled(
            "<pre>\(lines.map { MarkupText.escaped(String($0)) }.joined(separator: "\n"))</pre>")
    }

    package mutating func table(_ table: TextTable) { body += Self.scrolled(table.html) }

    /// - Parameter svg: a whole file.
    package mutating func picture(_ svg: String) {
        // The declaration of XML, the first line, may only be at the beginning of a file.
        body += Self.scrolled(svg.split(separator: "\n").dropFirst().joined(separator: "\n"))
    }

    /// Wide content scrolls by itself, also by keys.
    private static func scrolled(_ markup: String) -> String {
        "<div class=\"wide\" tabindex=\"0\">\n\(markup)\n</div>\n"
    }

    /// The whole file, UTF-8.
    package var closed: [UInt8] {
        Array(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
            style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>\(title) · opviz</title>
            <style>
            \(style)</style>
            </head>
            <body>
            <main>
            <h1>\(title)</h1>
            \(body)</main>
            </body>
            </html>

            """.utf8)
    }

    private var style: String {
        """
        :root { color-scheme: \(theme.rawValue); }
        html { font: 14px/1.45 system-ui, -apple-system, "Segoe UI", sans-serif; }
        body { margin: 0; background: \(theme.background); color: \(theme.text); }
        main { max-width: 1240px; margin: 0 auto; padding: 1rem; }
        h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.05rem; margin: 2rem 0 0.5rem; }
        p { margin: 0.4rem 0; max-width: 60rem; overflow-wrap: anywhere; }
        .strong { font-weight: 650; }
        .quiet { color: \(theme.mutedText); }
        .wide { overflow-x: auto; margin: 0.6rem 0; }
        pre { margin: 0; font-size: 0.9rem; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        caption { text-align: left; font-weight: 650; padding: 0.3rem 0; }
        th, td { text-align: left; padding: 0.2rem 0.9rem 0.2rem 0; border-bottom: 1px solid \(theme.grid); }
        th { color: \(theme.mutedText); font-weight: 500; }
        .number { text-align: right; white-space: nowrap; }
        td:not(.number) { overflow-wrap: break-word; max-width: 24rem; }
        svg { display: block; max-width: none; }
        @media print { .wide { overflow: visible; } svg { max-width: 100%; height: auto; } }

        """
    }
}

extension TextTable {
    fileprivate var html: String {
        var html = "<table>\n<caption>\(MarkupText.escaped(title))</caption>\n<thead><tr>"
        for column in columns {
            // Screen readers stop at a heading without a text.
            let tag = column.heading.isEmpty ? "td" : "th"
            html += "<\(tag)\(column.cellClass)>\(MarkupText.escaped(column.heading))</\(tag)>"
        }
        html += "</tr></thead>\n<tbody>\n"
        for row in rows {
            html += "<tr>"
            for (column, cell) in zip(columns, row) {
                let text = MarkupText.escaped(
                    column.isName ? cell : TerminalText.shortened(cell, toColumns: Self.longestName))
                html += "<td\(column.cellClass)>\(text)</td>"
            }
            html += "</tr>\n"
        }
        return html + "</tbody>\n</table>"
    }
}

extension TextTable.Column {
    fileprivate var cellClass: String { isNumber ? " class=\"number\"" : "" }
    fileprivate var isName: Bool { isShortened && detail == nil }
}
