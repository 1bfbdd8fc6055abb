/// What an edge from A to B means, for the legends of pictures and pages.
enum EdgeMeaning: String, CaseIterable {
    case dependency = "B waits for A"
    case lastDependency = "finished last"
    case added
    case wake = "B awaited A, or A woke it"
    case unfinished = "B was still waiting for A at the end"
    /// On the page only: its pictures of kinds have edges of several sorts, and those of circles a look of
    /// their own.
    case circle = "part of a circle of waits"
    case ofKinds = "B waits for A, or A added it; wider: more edges"
}
