/// The colours of ``PictureTheme`` on a terminal: the nearest of the 256 that terminals have, which both light and dark
/// backgrounds let one see.
struct TerminalColor: Hashable {
    /// Of the palette of 256.
    let number: Int

    static let critical = TerminalColor(number: 208)
    static let failed = TerminalColor(number: 170)
    static let muted = TerminalColor(number: 245)

    init(number: Int) { self.number = number }

    func around(_ text: some StringProtocol) -> String { "\u{1B}[38;5;\(number)m\(text)\u{1B}[0m" }
}
