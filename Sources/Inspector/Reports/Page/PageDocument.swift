import InspectorPageAssets

/// The interactive page around the data of one run or two.
///
/// All data are in blocks of JSON, which browsers do not parse as markup, and reach the page as text. The
/// page's policy lets the browser run, apply and load only what is in the file.
enum PageDocument {
    /// UTF-8.
    ///
    /// - Parameter blocks: each with the identifier under which the page's script looks for it.
    static func html(title: String, _ blocks: [(id: String, data: JSONObject)]) -> [UInt8] {
        let policy =
            "default-src 'none'; script-src 'sha256-\(PageHashes.script)'; style-src "
            + "'sha256-\(PageHashes.style)'; img-src data:; base-uri 'none'; form-action 'none'"
        let title = MarkupText.escaped(TerminalText.shortened(title, toColumns: 80))
        var page = Array(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>\(title) · opviz</title>
            <style>
            """.utf8)
        page += PageAssets.style
        page += Array("</style>\n</head>\n<body>\n".utf8)
        page += PageAssets.body
        for (id, data) in blocks {
            page += Array("<script type=\"application/json\" id=\"\(id)\">".utf8)
            append(data.closed, to: &page)
            page += Array("</script>\n".utf8)
        }
        page += Array("<script>".utf8)
        page += PageAssets.script
        page += Array("</script>\n</body>\n</html>\n".utf8)
        return page
    }

    /// Without `<`, the only character that could end the block.
    private static func append(_ json: [UInt8], to page: inout [UInt8]) {
        page.reserveCapacity(page.count + json.count + 1024)
        var rest = json[...]
        while let position = rest.firstIndex(of: UInt8(ascii: "<")) {
            page += rest[..<position]
            page += #"\u003c"#.utf8
            rest = rest[(position + 1)...]
        }
        page += rest
    }
}
