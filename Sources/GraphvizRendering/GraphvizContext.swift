#if Graphviz
    import CGraphviz
    import Foundation

    /// The only context of Graphviz in a process: a plugin keeps a pointer to the first context that it sees.
    ///
    /// `@unchecked Sendable` is sound because everything that uses Graphviz, whose library is not
    /// thread-safe, holds `lock`.
    final class GraphvizContext: @unchecked Sendable {
        static let shared = GraphvizContext()

        private let lock = NSLock()
        private let context: OpaquePointer?

        private init() {
            context = gvContext()
            _ = agseterrf { fragment in
                GraphvizMessages.append(fragment)
                return 0
            }
        }

        func render(_ dot: String, _ format: RenderFormat) throws(RenderingError) -> [UInt8] {
            lock.lock()
            defer { lock.unlock() }
            GraphvizMessages.clear()
            guard let context else { throw RenderingError(.failed, "Graphviz did not start") }
            guard let graph = numbered_graph(dot) else { throw error(.badGraph, "Graphviz found no graph") }
            defer { agclose(graph) }
            try expectNothingElse()
            // A graph whose nodes have positions requests this with an attribute, as for the program `dot`.
            var attribute = Array("layout".utf8CString)
            let engine = agget(graph, &attribute).map { String(cString: $0) } ?? ""
            guard gvLayout(context, graph, engine == "nop2" ? engine : "dot") == 0 else {
                throw error(.failed, "Graphviz could not lay out")
            }
            // The layout is not freed; `dot` does not free its own either. Graphviz 2.43 frees parts of some
            // layouts twice.
            var bytes: UnsafeMutablePointer<CChar>?
            var count: UInt32 = 0
            let status = gvRenderData(context, graph, format.rawValue, &bytes, &count)
            defer { gvFreeRenderData(bytes) }
            guard status == 0, let bytes, count > 0 else {
                throw error(.failed, "Graphviz could not write \(format.rawValue)")
            }
            // An unknown colour or shape is rendered as something else, with a message.
            if !GraphvizMessages.text.isEmpty { throw error(.failed, "Graphviz complained") }
            let result = Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            return format == .pdf ? PDFDate.removed(from: result) : result
        }

        /// Reads to the end of the text: anything after the first graph would stay for the next parse.
        private func expectNothingElse() throws(RenderingError) {
            var isAlone = true
            while let next = agmemread("") {
                agclose(next)
                isAlone = false
            }
            if !isAlone { throw RenderingError(.badGraph, "the text holds more than one graph") }
        }

        private func error(_ code: RenderingError.Code, _ what: String) -> RenderingError {
            let message = GraphvizMessages.text.split(whereSeparator: \.isNewline).joined(separator: "; ")
            return RenderingError(code, message.isEmpty ? what : "\(what): \(message)")
        }
    }

    /// Graphviz's messages since the start of the rendering. It hands its messages over in fragments, to a
    /// function without a context.
    ///
    /// `nonisolated(unsafe)` is sound because Graphviz only calls while `GraphvizContext` holds its lock.
    private enum GraphvizMessages {
        nonisolated(unsafe) private static var fragments: [String] = []

        static var text: String { fragments.joined() }

        static func append(_ fragment: UnsafeMutablePointer<CChar>?) {
            if let fragment { fragments.append(String(cString: fragment)) }
        }

        static func clear() { fragments = [] }
    }
#endif
