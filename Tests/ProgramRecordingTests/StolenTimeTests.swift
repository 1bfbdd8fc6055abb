import Testing

@testable import ProgramRecording

@Suite("Processor time that a virtual machine's host took") struct StolenTimeTests {
    private func time(_ numbers: String) -> StolenTime? {
        StolenTime(statistics: "cpu  \(numbers)\ncpu0 1 2 3 4 5 6 7 8 9 10\n")
    }

    @Test("stolen time is noted from a hundredth of all processor time on, with the part that contains it")
    func note() throws {
        let before = try #require(time("100 0 0 900 0 0 0 5 0 0"))
        func note(_ numbers: String) throws -> String? {
            try #require(time(numbers)).note(since: before, countsAs: "on CPU")
        }
        #expect(
            try note("190 0 0 1890 0 0 0 25 0 0")
                == "the host of this virtual machine took 1.8 % of its CPU time during the run, "
                + "which counts as on CPU")
        #expect(try note("190 0 0 1890 0 0 0 14 50 50") == nil)
        #expect(try note("100 0 0 900 0 0 0 5 0 0") == nil)
        // Counters of a machine that was moved can go back.
        #expect(try note("90 0 0 800 0 0 0 4 0 0") == nil)
    }

    @Test("stolen time is not known if the system says something else")
    func unknown() {
        for text in ["", "intr 1 2 3", "cpu  1 2 3 4 5 6 7\n", "cpu  a b c d e f g h\n"] {
            #expect(StolenTime(statistics: text) == nil)
        }
    }
}
