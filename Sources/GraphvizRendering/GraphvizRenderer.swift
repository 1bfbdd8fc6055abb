/// Renders DOT text in this process, through Graphviz's library.
public enum GraphvizRenderer {
    /// Whether this program was built with Graphviz.
    public static var isAvailable: Bool {
        #if Graphviz
            true
        #else
            false
        #endif
    }

    /// Lays the graph out with `dot`, or draws it as it is where it has `layout=nop2`, and renders it. A
    /// graph with a name gives the same bytes in each process, with the same version of Graphviz and the same
    /// fonts; a PDF holds no date, but is a few bytes longer where the time zone is not UTC. A later
    /// rendering in one process may place clusters otherwise: Graphviz takes them in the order of the
    /// addresses at which their names stand.
    ///
    /// Any thread; one rendering at a time in a process, the others wait. It cannot be interrupted, and takes
    /// about a second for a thousand nodes with two edges each. The memory of the layout stays taken.
    ///
    /// - Throws: `RenderingError`, with Graphviz's own messages.
    public static func render(dot: String, format: RenderFormat) throws(RenderingError) -> [UInt8] {
        #if Graphviz
            try GraphvizContext.shared.render(dot, format)
        #else
            throw RenderingError(
                .unavailable, "this program was built without Graphviz, and can write the graph as DOT only")
        #endif
    }
}
