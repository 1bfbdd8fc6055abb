/// What a picture can be rendered to.
public enum RenderFormat: String, CaseIterable, Sendable {
    /// By the name that Graphviz has for it, which is also the suffix of the file.
    case svg, png, pdf
}
