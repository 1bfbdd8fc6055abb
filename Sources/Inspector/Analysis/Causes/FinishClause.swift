/// What a search of a process's memory says of an operation that executes without a thread.
package enum FinishClause {
    /// Safe for a terminal, without a full stop.
    ///
    /// - Parameters:
    ///   - holder: what leads to it, besides its queue; empty for nothing.
    ///   - unseen: what the search could not see; empty for nothing.
    package static func text(holder: String, unseen: String) -> String {
        if !holder.isEmpty { return "\(TerminalText.shortened(holder, toColumns: 60)) may finish it" }
        return unseen.isEmpty
            ? "nothing in the process can finish it: only its queue leads to it"
            : "possibly nothing can finish it: only its queue leads to it, but "
                + TerminalText.shortened(unseen, toColumns: 60)
    }

    /// `; nothing in the process can finish it: only its queue leads to it`. Empty if it was not searched
    /// for.
    ///
    /// - Parameter operation: an index into the trace's operations.
    static func following(_ operation: Int, in trace: Trace) -> String {
        guard let search = trace.searches[Int32(operation)] else { return "" }
        let texts = trace.tasks.texts
        return "; " + text(holder: texts[search.holder], unseen: texts[search.unseen])
    }
}
