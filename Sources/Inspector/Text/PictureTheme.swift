/// The colours of all pictures: the graph, the timeline, the report and the comparison.
///
/// They come from the palette by M. Okabe and K. Ito ("Color Universal Design", 2008), which people with any
/// kind of colour vision can distinguish. Areas behind text use lighter tints. Nothing is shown by colour
/// alone.
public enum PictureTheme: String, CaseIterable, Sendable {
    /// The background that a picture is made for.
    case light, dark

    package var background: String { self == .light ? "#FFFFFF" : "#15181C" }
    package var text: String { self == .light ? "#1A1A1A" : "#E8E8E8" }
    package var mutedText: String { self == .light ? "#555555" : "#A8ADB3" }
    /// Arrows of dependencies.
    package var edge: String { self == .light ? "#555555" : "#9AA0A6" }
    /// Arrows from an operation to those that it added.
    package var spawn: String { self == .light ? "#999999" : "#6B7178" }
    /// Arrows from what one process caused in another.
    package var remote: String { self == .light ? "#0072B2" : "#56B4E9" }
    /// Arrows to operations that were still waiting when the log ended.
    package var blocked: String { self == .light ? "#A83276" : "#D77BD0" }
    /// Arrows to tasks from what woke them.
    package var wake: String { self == .light ? "#7A62AE" : "#B3A1DC" }
    /// The critical path, and nothing else.
    package var critical: String { self == .light ? "#D55E00" : "#FF8A3D" }
    /// Guide lines.
    package var grid: String { self == .light ? "#E3E3E3" : "#2C3138" }
    package var clusterBorder: String { self == .light ? "#BBBBBB" : "#4A5058" }
    /// By depth; after the last colour, the first one follows again.
    package var clusterFills: [String] {
        self == .light ? ["#F7F7F7", "#EFF4F8"] : ["#1C2026", "#222932"]
    }

    /// The fill for the kinds and queues after the last one of ``groupFills``.
    package var otherFill: String { self == .light ? "#CEB38D" : "#5A4F2F" }

    /// Text inside the bar of an execution.
    package var onExecution: String { self == .light ? "#FFFFFF" : "#10202B" }
    /// What took longer than before, and what took less time.
    package var slower: String { blocked }
    package var faster: String { self == .light ? "#0072B2" : "#56B4E9" }

    /// The fills for kinds, queues or threads, in order of importance. The text's colour is readable on each.
    /// They are greens, blues and violets of the lightness of an area, apart from waits, outcomes and the
    /// critical path, for any kind of colour vision.
    package var groupFills: [String] {
        self == .light
            ? [
                "#BEC6FF", "#75E4B9", "#B0C265", "#69BAC4", "#D7E98B", "#7E9D6B", "#3B99E2", "#AC7EBA",
            ]
            : [
                "#214A9B", "#146D34", "#6C4279", "#4F5E63", "#0C4C2F", "#4E1A5C", "#1C297C", "#443B52",
            ]
    }
}
