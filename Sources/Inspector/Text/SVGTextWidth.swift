/// The maximum width of a text, in any sans-serif font of a viewer. A picture without a layout needs it to
/// know what fits.
///
/// Based on DejaVu Sans, the widest of the fonts that replace Helvetica. A test in a browser compares.
package enum SVGTextWidth {
    /// How much wider bold characters are at most.
    private static let bold = 1.11

    /// In pixels. Linear in the text.
    package static func pixels(_ text: String, size: Double, isBold: Bool = false) -> Double {
        text.reduce(0) { $0 + ems($1) } * size * (isBold ? bold : 1)
    }

    /// The text, cut to `pixels`. Empty if too little of it fits to be useful.
    package static func fitting(
        _ text: String, pixels: Double, size: Double, isBold: Bool = false
    ) -> String {
        if Self.pixels(text, size: size, isBold: isBold) <= pixels { return text }
        let room = pixels / (size * (isBold ? bold : 1)) - 1
        var kept = ""
        var width = 0.0
        for character in text {
            width += ems(character)
            if width > room { break }
            kept.append(character)
        }
        return kept.count < 6 ? "" : kept + "…"
    }

    /// As `fitting`, but both ends stay: names of queues and executors often differ only at the end.
    package static func fittingAtBothEnds(
        _ text: String, pixels: Double, size: Double, isBold: Bool = false
    ) -> String {
        if Self.pixels(text, size: size, isBold: isBold) <= pixels { return text }
        var room = pixels / (size * (isBold ? bold : 1)) - 1
        var head = text[...].prefix(0)
        var tail = text.suffix(0)
        // In turn from the front and from the back.
        for isFront in sequence(first: true, next: { !$0 }) {
            let rest = text[head.endIndex..<tail.startIndex]
            guard let next = isFront ? rest.first : rest.last else { break }
            room -= ems(next)
            if room < 0 { break }
            if isFront {
                head = text[..<rest.index(after: rest.startIndex)]
            } else {
                tail = text[rest.index(before: rest.endIndex)...]
            }
        }
        return head.count + tail.count < 6 ? "" : "\(head)…\(tail)"
    }

    private static func ems(_ character: Character) -> Double {
        switch character {
        case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", " ", "(", ")", "[", "]", "-": 0.42
        case "m", "w", "M", "W", "@", "%", "…", "—": 1
        case "#", "&", "+", "<", "=", ">", "^", "~": 0.84
        case "A"..."Z": 0.79
        case "!"..."~": 0.65
        default: max(0.88, Double(TextWidth.columns(of: character)) * 0.6)
        }
    }
}
