/// Kinds of operations that opviz names itself.
package enum KnownKind {
    /// Of the barrier blocks of a queue; the C core of the recorder has the same text.
    package static let barrier = "Barrier"
}
