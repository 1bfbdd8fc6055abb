/// Why a picture could not be rendered.
public struct RenderingError: Error, Sendable, CustomStringConvertible {
    /// An open set: new codes may be added.
    public struct Code: Hashable, Sendable {
        enum Value { case unavailable, badGraph, failed }
        let value: Value

        /// This program was built without Graphviz.
        public static let unavailable = Code(value: .unavailable)
        /// Graphviz does not understand the DOT text.
        public static let badGraph = Code(value: .badGraph)
        /// Graphviz could not lay the graph out, or write it in that format.
        public static let failed = Code(value: .failed)
    }

    /// Use this to decide what to do: the description is for people.
    public var code: Code
    public var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
