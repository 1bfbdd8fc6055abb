/// What a picture can be rendered to.
public enum RenderFormat: String, CaseIterable, Sendable {
    /// Graphviz's name for the format, which is also the extension of the file.
    case svg, png, pdf
}
