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
    package var blocked: String { self == .light ? "#A83276" : "#E07DB4" }
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

    /// Text inside the bar of an execution.
    package var onExecution: String { self == .light ? "#FFFFFF" : "#10202B" }
    /// What took longer than before, and what took less time.
    package var slower: String { critical }
    package var faster: String { self == .light ? "#0072B2" : "#56B4E9" }

    /// The fills for kinds, queues or threads, used in turn. The text's colour is readable on each.
    package var groupFills: [String] {
        self == .light
            ? [
                "#CFE5F2", "#FBE3B5", "#D9EFE7", "#F6DCEA", "#DCEFFA", "#F7D9C6", "#FBF5B7", "#E3E0F2",
            ]
            : [
                "#123B54", "#5A4209", "#14392E", "#4B1E38", "#1E4A63", "#5C2E12", "#45400F", "#332E57",
            ]
    }
}
