import Testing

@testable import Inspector

@Suite("The names that functions are called by")
struct SwiftSymbolNameTests {
    @Test(
        "closures are called after their function, without types",
        arguments: [
            ("closure #1 @Sendable () -> () in app.main() -> ()", "main() #1 (app)"),
            (
                "closure #1 () -> () in app.Loader.load(count: Swift.Int) -> ()",
                "Loader.load(count:) #1 (app)"
            ),
            (
                "closure #2 () -> () in closure #1 () -> () in app.run() -> ()",
                "run() #1 #2 (app)"
            ),
            ("closure #2 @Sendable () -> () in app", "closure #2 in app"),
            (
                "partial apply forwarder for closure #1 @Sendable () -> () in app.run() -> ()",
                "run() #1 (app)"
            ),
            (
                "closure #1 () -> () in app.Loader.(load in _1F2E3D)(count: Swift.Int) -> ()",
                "Loader.load(count:) #1 (app)"
            ),
            (
                "implicit closure #1 @Sendable () -> () in app.run() -> ()",
                "run() #1 (app)"
            ),
        ])
    func closures(demangled: String, short: String) {
        #expect(SwiftSymbolName.short(ofDemangled: demangled) == short)
    }

    @Test(
        "functions keep their labels, and lose generics, results and effects",
        arguments: [
            ("static app.Loader.load<A>(count: Swift.Int) -> ()", "app.Loader.load(count:)"),
            ("app.add(_: Swift.Int, to: [Swift.Int]) -> ()", "app.add(_:to:)"),
            ("app.read(from: Swift.String) throws -> Swift.Int", "app.read(from:)"),
            ("app.wait() async -> ()", "app.wait()"),
            ("app.Box<A>.open(with: A) -> A", "app.Box.open(with:)"),
            ("app.each((Swift.Int) -> (), done: (Swift.Bool) -> ()) -> ()", "app.each(done:)"),
            ("app.Loader.value.getter : Swift.Int", "app.Loader.value.getter"),
            ("app.Loader.init(path: Swift.String) -> app.Loader", "app.Loader.init(path:)"),
        ])
    func functions(demangled: String, short: String) {
        #expect(SwiftSymbolName.short(ofDemangled: demangled) == short)
    }

    @Test("a linked name of Swift's is demangled; others stay as they are")
    func linked() {
        #expect(SwiftSymbolName.short("$s3app3runyyFyycfU_") == "run() #1 (app)")
        for name in ["main", "_ZN3app3runEv", "", "$s", "$snonsense"] {
            #expect(SwiftSymbolName.short(name) == name)
        }
    }
}
