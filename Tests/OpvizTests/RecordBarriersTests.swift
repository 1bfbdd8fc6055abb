import TestTraces
import Testing

@Suite(
    "Under opviz record, a barrier waits for what is queued, and what comes later waits for it",
    .needsRecording, .needsCompiler)
struct RecordBarriersTests {
    private static let recording = Result { try RecordedRun([TestProgram.barriers.path()]) }

    @Test(
        "opviz record logs the edges of barriers: to what was queued before, and from what came later",
        arguments: BarrierCase.all.map(\.name))
    func cases(name: String) throws {
        let trace = try Self.recording.get().trace()
        #expect(trace.barrierAccount(on: name) == BarrierCase.named(name).expected)
    }
}
