import InspectorText
import Testing

@Suite("Nearest names")
struct NearestNamesTests {
    private func near(_ text: String, _ names: String...) -> [String] {
        NearestNames(to: text, among: names).names
    }

    @Test("nearest names are those that differ by the fewest letters, swapped ones counting as one")
    func distance() {
        #expect(near("pgae 11", "page 1", "page 10", "page 11") == ["page 11"])
        #expect(near("lnit", "list", "lint", "unit") == ["lint", "unit"])
        #expect(near("makspan", "makespan", "critical path") == ["makespan"])
    }

    @Test("upper and lower case differ least of all")
    func letterCase() { #expect(near("parse", "Parser", "Parse", "pars") == ["Parse"]) }

    @Test("the nearest names are otherwise those that contain the text, or a part similar to it")
    func parts() {
        #expect(near("load", "DownloadPage", "Upload page", "Store") == ["DownloadPage", "Upload page"])
        #expect(near("deadlok", "self-wait-deadlock", "late-edge") == ["self-wait-deadlock"])
        #expect(near("Stroe", "StorePage", "ParsePage") == ["StorePage"])
    }

    @Test("nearest names are each named once, and no more than five")
    func few() {
        #expect(near("Pars", "Parse", "Parse") == ["Parse"])
        #expect(NearestNames(to: "page", among: (1...100).map { "page \($0)" }).names.count == 5)
    }

    @Test("nearest names are empty for a short, empty or dissimilar text")
    func none() {
        #expect(near("Zebra", "Parse", "Store") == [])
        #expect(near("x", "a", "execution") == [])
        #expect(near("", "Parse", "") == [])
    }

    @Test("nearest names are quoted in a question, and safe for a terminal")
    func question() {
        #expect(NearestNames(["a"]).question == "did you mean 'a'?")
        #expect(NearestNames(["a", "b", "c\u{1b}"]).question == #"did you mean 'a', 'b' or 'c\u{1b}'?"#)
        #expect(NearestNames([]).question == nil)
    }

    @Test("nearest names are whole in a question, so that they can be copied")
    func whole() {
        let name = "execution of " + String(repeating: "Thumbnail", count: 8)
        #expect(NearestNames([name]).question == "did you mean '\(name)'?")
    }

    @Test("a hint lists all names if none is similar")
    func hint() {
        func hint(_ names: String...) -> String {
            NearestNames.hint(to: "zzz", among: names, "kind", "kinds")
        }
        #expect(hint() == "")
        #expect(hint("Parse", "Parse") == "; the only kind is 'Parse'")
        #expect(hint("Parse", "Store") == "; the kinds are 'Parse' and 'Store'")
        #expect(
            NearestNames.hint(to: "zzz", among: (1...10).map { "k\($0)" }, "kind", "kinds").hasSuffix(
                "'k8' and 2 more"))
    }

    @Test("only the beginning of a name of megabytes is compared")
    func long() {
        let long = String(repeating: "x", count: 1_000_000)
        #expect(near(long, long + "y") == [long + "y"])
    }
}
