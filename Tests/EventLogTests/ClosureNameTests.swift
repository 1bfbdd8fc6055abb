import EventLog
import TestTraces
import Testing

@Suite("Closures are called after the function that they were written in")
struct ClosureNameTests {
    @Test(
        "closures are named without types and ordinals as a kind, and with ordinals as a name",
        arguments: [
            ("closure #1 @Sendable () -> () in app.main() -> ()", "main()", "main() #1 (app)"),
            (
                "closure #1 () -> () in app.Loader.load(count: Swift.Int) -> ()",
                "Loader.load(count:)", "Loader.load(count:) #1 (app)"
            ),
            (
                "closure #2 () -> () in closure #1 () -> () in app.run() -> ()",
                "run()", "run() #1 #2 (app)"
            ),
            ("closure #2 @Sendable () -> () in app", "top level of app", "top level of app #2"),
            (
                "partial apply forwarder for closure #1 @Sendable () -> () in app.run() -> ()",
                "run()", "run() #1 (app)"
            ),
            (
                "closure #1 @Sendable () -> () in app.Loader.(load in _1F2E3D)(count: Swift.Int) -> ()",
                "Loader.load(count:)", "Loader.load(count:) #1 (app)"
            ),
            ("implicit closure #1 @Sendable () -> () in app.run() -> ()", "run()", "run() #1 (app)"),
            (
                "(2) suspend resume partial function for app.Cache.get(Swift.Int) async -> ()",
                "Cache.get(_:)", "Cache.get(_:) (app)"
            ),
            (
                "(1) await resume partial function for closure #1 () async -> () in app.run() -> ()",
                "run()", "run() #1 (app)"
            ),
            (
                "closure #1 @Sendable () -> () in app.Importer.run(Swift.Int) async throws -> ()",
                "Importer.run(_:)", "Importer.run(_:) #1 (app)"
            ),
            (
                "closure #1 @Sendable () -> () in app.Importer.each<A where A: Swift.Sendable>(_: A, done: "
                    + "Swift.Int) -> ()",
                "Importer.each(_:done:)", "Importer.each(_:done:) #1 (app)"
            ),
            (
                "partial apply forwarder for generic not re-abstracted specialization <Swift.Int> of "
                    + "closure #1 () -> () in app.f<A>(A) -> ()",
                "f(_:)", "f(_:) #1 (app)"
            ),
            (
                "function signature specialization <Arg[0] = [Constant Propagated Integer : 1]> of closure "
                    + "#1 () -> () in app.f() -> ()",
                "f()", "f() #1 (app)"
            ),
            (
                "closure #1 @Sendable () -> () in (extension in app):Swift.Array.map(with: A) -> ()",
                "Array.map(with:)", "Array.map(with:) #1 (app)"
            ),
            (
                "closure #1 () -> () in step #2 (n: Swift.Int) -> () in static app.Importer.make() -> ()",
                "step(n:) in Importer.make()", "step(n:) in Importer.make() #1 (app)"
            ),
            (
                "closure #1 @Sendable () -> () in variable initialization expression of static "
                    + "app.Loader.shared : Foundation.Operation",
                "Loader.shared", "Loader.shared #1 (app)"
            ),
            (
                "closure #1 @Sendable () -> () in default argument 0 of app.Loader.open(then: @Sendable () "
                    + "-> ()) -> ()",
                "Loader.open(then:)", "Loader.open(then:) #1 (app)"
            ),
            (
                "closure #1 () -> () in app.Loader.value.getter : Swift.Int", "Loader.value.getter",
                "Loader.value.getter #1 (app)"
            ),
            (
                "closure #1 () -> () in app.Loader.__deallocating_deinit", "Loader.deinit",
                "Loader.deinit #1 (app)"
            ),
            (
                "closure #1 () -> () in static app.Size.< infix(app.Size, app.Size) -> Swift.Bool",
                "Size.<(_:_:)", "Size.<(_:_:) #1 (app)"
            ),
            ("app.add(_: Swift.Int, to: [Swift.Int]) -> ()", "add(_:to:)", "add(_:to:) (app)"),
            ("app.Box<A>.open(with: A) -> A", "Box.open(with:)", "Box.open(with:) (app)"),
            (
                "app.each((Swift.Int, Swift.Int) -> (), done: (Swift.Bool) -> ()) -> ()", "each(_:done:)",
                "each(_:done:) (app)"
            ),
            (
                "app.Loader.__allocating_init(path: Swift.String) -> app.Loader", "Loader.init(path:)",
                "Loader.init(path:) (app)"
            ),
            (
                "function signature specialization <Arg[1] = [Constant Propagated Function : async_Main]> of "
                    + "reabstraction thunk helper from @escaping @convention(thin) @async () -> () to "
                    + "@escaping @callee_guaranteed @async () -> (@out (), @error @owned Swift.Error)",
                "async main", "async main"
            ),
        ])
    func closures(demangled: String, kind: String, name: String) throws {
        let closure = try #require(ClosureName(demangled: demangled))
        #expect(closure.kind == kind)
        #expect(closure.name == name)
    }

    @Test(
        "a closure has no name if its code belongs to several functions, or to none in the source",
        arguments: [
            "merged closure #1 @Sendable () -> () in app.run() -> ()",
            "partial apply forwarder for reabstraction thunk helper from @escaping () -> (@out ()) to "
                + "@escaping () -> ()",
            "function signature specialization <Arg[0] = [Constant Propagated Function : closure #1 () -> "
                + "() in app.run() -> ()]> of reabstraction thunk helper from @escaping () -> (@out ()) to "
                + "@escaping () -> ()",
            "protocol witness for app.Loads.load() -> () in conformance app.Loader : app.Loads in app",
            "app", "", "generic specialization <",
        ])
    func refused(demangled: String) { #expect(ClosureName(demangled: demangled) == nil) }

    @Test("a closure is named from the linked name; names that are not Swift's stay as they are")
    func linked() {
        #expect(ClosureName(linked: "$s3app3runyyFyycfU_")?.kind == "run()")
        #expect(ClosureName(linked: "_ZN3app3runEv")?.kind == "_ZN3app3runEv")
        #expect(ClosureName(linked: "async_Main")?.kind == "async main")
        for name in ["$s", "$snonsense"] { #expect(ClosureName(linked: name) == nil) }
    }

    @Test("a name from the code is distinguished from one that the program set")
    func given() {
        #expect(ClosureName.isGiven(name: "run() #1 (app)", kind: "run()"))
        #expect(ClosureName.isGiven(name: "top level of app #2", kind: "top level of app"))
        #expect(ClosureName.isGiven(name: "closure at 0x1f in app", kind: "BlockOperation"))
        #expect(!ClosureName.isGiven(name: "decode 1", kind: "run()"))
        #expect(!ClosureName.isGiven(name: "closure at 0x1f in app", kind: "run()"))
        #expect(!ClosureName.isGiven(name: "run()", kind: "run()"))
    }

    @Test("closures are named for any text")
    func anything() {
        let words = [
            "closure #1", " in ", "app.", "run(", ")", "<", ">", "(extension in ", "#", " : ", "[", "]",
            "generic ", "> of ", " ",
        ]
        var state: UInt64 = 1
        for _ in 0..<2_000 {
            var text = ""
            for _ in 0..<8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += words[Int(state >> 33) % words.count]
            }
            _ = ClosureName(demangled: text)
        }
    }
}
