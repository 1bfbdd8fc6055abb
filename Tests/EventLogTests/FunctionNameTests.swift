import Testing

@testable import EventLog

@Suite("Functions are named as in the source")
struct FunctionNameTests {
    @Test(
        "functions are named without their modules, types and specializations",
        arguments: [
            ("app.Tile.draw(in: Swift.Int) -> ()", "Tile.draw(in:)"),
            ("closure #1 () -> () in app.load(count: Swift.Int) -> ()", "load(count:) #1"),
            ("static app.Tile.make() -> app.Tile", "Tile.make()"),
            ("generic specialization <Swift.Int> of app.sum<A>(_: [A]) -> A", "sum(_:)"),
            ("protocol witness for app.P.f() -> () in conformance app.T : app.P in app", "P.f()"),
            ("merged app.Tile.draw(in: Swift.Int) -> ()", "Tile.draw(in:)"),
            ("outlined copy of app.Tile", "outlined copy of Tile"),
            ("type metadata accessor for app.Tile", "type metadata accessor for Tile"),
            ("reabstraction thunk helper from @escaping () -> () to @escaping () -> (@out ())", "thunk"),
        ])
    func demangled(text: String, name: String) { #expect(FunctionName.text(demangled: text) == name) }

    @Test("functions of C are named as they are linked")
    func linked() {
        #expect(FunctionName.text(linked: "malloc") == "malloc")
        #expect(FunctionName.text(linked: "$s") == "$s")
    }

    @Test(
        "functions of C++ are named as its runtime demangles them",
        arguments: [
            ("_ZN3app4Tile4drawEi", "app::Tile::draw(int)"),
            ("_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector<int, std::allocator<int> >::size() const"),
            ("_Zebra", "_Zebra"),
        ])
    func cPlusPlus(linked: String, name: String) { #expect(FunctionName.text(linked: linked) == name) }

    @Test("functions are named by the public name of several")
    func best() {
        #expect(FunctionName.best(["__clone", "clone"]) == "clone")
        #expect(FunctionName.best([]) == nil)
    }
}
