/// One line of a screen: parts of text, each with a colour for terminals that show colours.
struct ScreenLine: Sendable {
    enum Style: Sendable { case plain, heading, muted, loss, critical, waiting, executing }

    private var parts: [(text: String, style: Style)] = []
    /// Whether the cursor is on the line, which is then shown in reverse over the whole width, even without
    /// colours.
    var isSelected = false

    /// - Parameter text: safe for a terminal.
    init(_ text: String = "", _ style: Style = .plain) { append(text, style) }

    mutating func append(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { parts.append((text, style)) }
    }

    /// The text, cut to `width` columns.
    func text(width: Int) -> String {
        let text = fitting(width).map(\.text).joined()
        guard isSelected else { return text }
        let rest = String(repeating: " ", count: max(0, width - TextWidth.columns(of: text)))
        return "\u{1B}[7m\(text)\(rest)\u{1B}[0m"
    }

    /// With escape sequences for colours.
    func coloredText(width: Int) -> String {
        if isSelected { return text(width: width) }
        return fitting(width).map { part in
            switch part.style {
            case .plain: part.text
            case .heading: "\u{1B}[1m\(part.text)\u{1B}[0m"
            case .muted: TerminalColor.muted.around(part.text)
            case .loss: "\u{1B}[31m\(part.text)\u{1B}[0m"
            case .critical: TerminalColor.critical.around(part.text)
            case .waiting: TerminalColor(.slot).around(part.text)
            case .executing: TerminalColor(.execution).around(part.text)
            }
        }.joined()
    }

    private func fitting(_ width: Int) -> [(text: String, style: Style)] {
        var room = width
        var fitting: [(text: String, style: Style)] = []
        for part in parts {
            let columns = TextWidth.columns(of: part.text)
            if columns > room {
                fitting.append((TerminalText.shortened(part.text, toColumns: room), part.style))
                return fitting
            }
            room -= columns
            fitting.append(part)
        }
        return fitting
    }
}
