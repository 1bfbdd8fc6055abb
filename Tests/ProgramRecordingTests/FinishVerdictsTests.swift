import MemorySearch
import Testing

@testable import ProgramRecording

@Suite struct FinishVerdictsTests {
    private func verdicts(_ operations: [FoundOperation], unseen: String? = nil) -> FinishVerdicts {
        FinishVerdicts(
            [FoundQueue(name: "q", limit: nil, isSuspended: false, operations: operations)], unseen: unseen)
    }

    private func operation(
        _ verdict: ResumeSearch.Verdict, name: String = "fetch", kind: String = "Fetch",
        state: FoundOperation.State = .started
    ) -> FoundOperation {
        FoundOperation(name: name, kind: kind, state: state, verdict: verdict)
    }

    @Test func anOperationOfTheLogIsFoundByItsNameAndTheLastPartOfItsClass() {
        let found = verdicts([operation(.unreachable, kind: "Net.Fetch"), operation(.unreachable)])
        let proof = "nothing in the process can finish it: only its queue leads to it"
        #expect(found.sentence(name: "fetch", kind: "Fetch") == proof)
        #expect(found.sentence(name: nil, kind: "Fetch") == nil)
        #expect(found.sentence(name: "fetch", kind: "Store") == nil)
    }

    @Test func nothingIsSaidWhereOperationsThatLookAlikeDiffer() {
        let found = verdicts([operation(.unreachable), operation(.held(by: "a closure"))])
        #expect(found.sentence(name: "fetch", kind: "Fetch") == nil)
    }

    @Test func whatHoldsAnOperationIsNamedUnlessItIsAThread() {
        #expect(
            verdicts([operation(.held(by: "a closure"))]).sentence(name: "fetch", kind: "Fetch")
                == "a closure may finish it")
        #expect(verdicts([operation(.held(by: "thread 7"))]).sentence(name: "fetch", kind: "Fetch") == nil)
    }

    @Test func nothingIsProvenByASearchThatCouldNotSeeEverything() {
        #expect(
            verdicts([operation(.unreachable)], unseen: "it uses io_uring").sentence(
                name: "fetch", kind: "Fetch")
                == "possibly nothing can finish it: only its queue leads to it, but it uses io_uring")
    }

    @Test func anOperationThatWaitsIsNotAccused() {
        let found = verdicts([operation(.unknown, state: .waiting)])
        #expect(found.sentence(name: "fetch", kind: "Fetch") == nil)
    }
}
