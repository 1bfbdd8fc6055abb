/// The look of a timeline: how an operation's ending, the critical path and suspensions are drawn.
struct TimelineStyle {
    let theme: PictureTheme

    /// Whether the trace says when threads were on processors.
    var hasParts = false
    /// Whether operations blocked their threads until others finished.
    var hasBlocking = false
    /// Whether there are arrows for what woke tasks.
    var hasTasks = false
    /// Whether there are arrows in circles of waits.
    var hasCircles = false

    /// Patterns and the arrowhead. Patterns distinguish endings without colour.
    var definitions: String {
        """
        \(hasParts ? stripes("waiting", theme.executionHatch, tilt: 45, width: 1.5, every: 4) : "")\
        \(stripes("failed", theme.border(.failed), tilt: 45))\
        \(stripes("cancelled", theme.border(.cancelled), tilt: -45))\
        \(hasBlocking ? stripes("blocking", theme.blocked, tilt: 45, width: 1.5, every: 4) : "")\
        \(stripes("suspended", theme.color(.suspended), tilt: 45, width: 1, every: 7))\
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" \
        orient="auto">\
        <path d="M0 0L8 4L0 8Z" fill="\(theme.critical)"/></marker>
        \(hasTasks ? marker("wake", theme.wake) : "")\(hasCircles ? marker("hop", theme.blocked) : "")
        """
    }

    private func marker(_ name: String, _ color: String) -> String {
        "<marker id=\"\(name)\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"5\" "
            + "markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0L8 4L0 8Z\" "
            + "fill=\"\(color)\"/></marker>\n"
    }

    /// Of executions that are drawn as shares: paler than ``fills(_:)`` on a processor, if others have parts.
    var undivided: String {
        "fill=\"\(theme.color(LifetimeParts.Part.execution))\"" + (hasParts ? " fill-opacity=\"0.55\"" : "")
    }

    /// The fills of a part of an execution, one over the other.
    func fills(_ part: ExecutionParts.Part) -> [String] {
        ["fill=\"\(theme.color(part))\""] + (part.row.pattern == .hatched ? ["fill=\"url(#waiting)\""] : [])
    }

    /// One over the other, where an operation blocked its thread.
    var blockingFills: [String] {
        ["fill=\"\(theme.background)\"", "class=\"blocking\" fill=\"url(#blocking)\""]
    }

    /// Around a bar, where there is room for it.
    func kindOutline(fill: String = "none") -> String {
        "fill=\"\(fill)\" stroke=\"\(theme.edge)\" stroke-width=\"0.75\""
    }

    /// Between the colour of a kind and the strip of parts below it.
    var stripEdge: String { "stroke=\"\(theme.edge)\" stroke-width=\"0.5\"" }

    /// The pattern over the bar of an operation that did not succeed.
    func pattern(_ ending: OperationEnding) -> String? {
        switch ending {
        case .failed: "fill=\"url(#failed)\""
        case .cancelled: "fill=\"url(#cancelled)\""
        case .succeeded, .unfinished, .unobserved: nil
        }
    }

    func border(_ ending: OperationEnding) -> String? {
        switch ending {
        case .succeeded, .unobserved: nil
        case .failed: "fill=\"none\" stroke=\"\(theme.border(ending))\" stroke-width=\"1.5\""
        case .cancelled, .unfinished:
            "fill=\"none\" stroke=\"\(theme.border(ending))\" stroke-width=\"1.5\" stroke-dasharray=\"3 2\""
        }
    }

    /// The mark at the end of the bar.
    static func mark(_ ending: OperationEnding) -> String? {
        switch ending {
        case .failed: "✕"
        case .cancelled: "⊘"
        case .unfinished: "▸"
        case .succeeded, .unobserved: nil
        }
    }

    var critical: String { "fill=\"none\" stroke=\"\(theme.critical)\" stroke-width=\"2\"" }

    private func stripes(
        _ name: String, _ color: String, tilt: Int, width: Double = 2.5, every distance: Int = 6
    ) -> String {
        "<pattern id=\"\(name)\" width=\"\(distance)\" height=\"\(distance)\" "
            + "patternUnits=\"userSpaceOnUse\" "
            + "patternTransform=\"rotate(\(tilt))\"><rect width=\"\(SVGDocument.number(width))\" "
            + "height=\"\(distance)\" fill=\"\(color)\"/></pattern>\n"
    }
}
