/// The colours of ``PictureTheme`` on a terminal: the nearest of the 256 that terminals have, which both
/// light and dark backgrounds let one see.
package struct TerminalColor: Hashable {
    /// Of the palette of 256.
    let number: Int

    package static let critical = TerminalColor(number: 208)
    package static let failed = TerminalColor(number: 170)
    package static let muted = TerminalColor(number: 245)

    package init(number: Int) { self.number = number }

    package func around(_ text: some StringProtocol) -> String { "\u{1B}[38;5;\(number)m\(text)\u{1B}[0m" }
}
