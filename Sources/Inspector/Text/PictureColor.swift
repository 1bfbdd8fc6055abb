/// A colour of pictures on both backgrounds, and the nearest one of a terminal's 256.
package struct PictureColor: Sendable {
    let light: String
    let dark: String
    /// Index into the palette of 256 colours.
    package let terminal: Int

    package init(light: String, dark: String, terminal: Int) {
        (self.light, self.dark, self.terminal) = (light, dark, terminal)
    }

    package func of(_ theme: PictureTheme) -> String { theme == .light ? light : dark }
}
