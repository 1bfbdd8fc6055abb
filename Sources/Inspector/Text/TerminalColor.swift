/// The colours of ``PictureTheme`` on a terminal: the nearest of its 256 colours that are visible on both
/// light and dark backgrounds.
package struct TerminalColor: Hashable {
    /// Index into the palette of 256 colours.
    let number: Int

    package static let critical = TerminalColor(number: 208)
    package static let failed = TerminalColor(number: 170)
    package static let muted = TerminalColor(number: 245)

    package init(number: Int) { self.number = number }

    package func around(_ text: some StringProtocol) -> String { "\u{1B}[38;5;\(number)m\(text)\u{1B}[0m" }
}
