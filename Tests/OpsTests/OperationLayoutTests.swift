import CRecorder
import Testing

@testable import Ops

@Suite("The places of an operation's methods")
struct OperationLayoutTests {
    @Test("are found on Linux, each once")
    func found() throws {
        #if os(Linux)
            let layout = try #require(OperationLayout.found)
            let slots = withUnsafeBytes(of: layout.slots) { Array($0.bindMemory(to: Int16.self)) }
            #expect(slots.count == Int(METHOD_COUNT.rawValue))
            #expect(Set(slots + [layout.is_cancelled]).count == slots.count + 1)
            #expect(slots.last == -2)
        #endif
    }
}
