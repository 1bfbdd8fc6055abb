/// What a picture can be rendered to.
public enum RenderFormat: String, CaseIterable, Sendable {
    case svg, png, pdf
}
