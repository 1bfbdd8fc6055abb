/// The maximum width of a text, in any sans-serif font of a viewer. A picture without a layout needs it to
/// know what fits.
///
/// Based on DejaVu Sans, the widest of the fonts that replace Helvetica.
package enum SVGTextWidth {
    /// In pixels. Linear in the text.
    package static func pixels(_ text: String, size: Double) -> Double {
        text.reduce(0) { $0 + ems($1) } * size
    }

    /// The text, cut to `pixels`. Empty if too little of it fits to be useful.
    package static func fitting(_ text: String, pixels: Double, size: Double) -> String {
        if Self.pixels(text, size: size) <= pixels { return text }
        let room = pixels / size - 1
        var kept = ""
        var width = 0.0
        for character in text {
            width += ems(character)
            if width > room { break }
            kept.append(character)
        }
        return kept.count < 6 ? "" : kept + "…"
    }

    private static func ems(_ character: Character) -> Double {
        switch character {
        case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", " ", "(", ")", "[", "]", "-": 0.42
        case "m", "w", "M", "W", "@", "%", "…": 1
        case "A"..."Z": 0.78
        case "!"..."~": 0.65
        default: max(0.8, Double(TextWidth.columns(of: character)) * 0.6)
        }
    }
}
