import Testing

@testable import EventLog

@Suite("The place of a suspension")
struct AwaitStackTests {
    @Test("a line without a path belongs to the file and the build of the line before")
    func codes() {
        let place = "/a/app+0x1f@89ab\n+0x2f\n/lib/b.so+0x3\n+0x4\n/a/app+0x5@89ab\n+0x6"
        #expect(
            AwaitStack.codes(place) == [
                "/a/app+0x1f@89ab", "/a/app+0x2f@89ab", "/lib/b.so+0x3", "/lib/b.so+0x4", "/a/app+0x5@89ab",
                "/a/app+0x6@89ab",
            ])
        #expect(AwaitStack.codes("") == [] && AwaitStack.codes("+0x1") == ["+0x1"])
    }

    @Test(
        "names of functions stay, one for each function; code without a name is left out if another has one")
    func names() {
        let names = CodeNames()
        let stack = AwaitStack("load()\nload()\npage()\n/a/app+0x1f@89ab", names)
        #expect(stack.functions == ["load()", "page()"] && stack.text == "load()\npage()")
        #expect(AwaitStack("/a/app+0x1f@89ab\n+0x2f", names).functions == ["closure at 0x1f in app"])
        #expect(AwaitStack("", names).functions.isEmpty)
        let waits = "withCheckedContinuation(isolation:function:_:)"
        #expect(AwaitStack("\(waits)\nload()", names).functions == ["load()"])
        #expect(AwaitStack(waits, names).functions == [waits])
        #expect(AwaitStack("a\nb\nc\nd\ne\nf", names).shown == ["a", "b", "c", "d", "e", "…"])
        #expect(!AwaitStack.isStack("a") && AwaitStack.isStack("a\nb"))
    }
}
