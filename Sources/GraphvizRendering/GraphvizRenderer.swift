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

    /// Lays the graph out with `dot`, or keeps its positions if it has `layout=nop2`, and renders it.
    ///
    /// A graph with a name gives the same bytes in each process, with the same version of Graphviz and the
    /// same fonts. A PDF contains no date, but is a few bytes longer if the time zone is not UTC. Graphviz
    /// orders clusters by the addresses of their names: a later rendering in the same process may place them
    /// differently, and so may one beside another thread that allocates and frees.
    ///
    /// Any thread. One rendering at a time in a process; the others wait. It cannot be interrupted, and takes
    /// about a second for a thousand nodes with two edges each. The memory of the layout is not freed.
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
