import Testing

@testable import Ops

@Suite("What is noted of an operation")
struct TransitionNotesTests {
    @Test("an answer from before an edge says nothing, however long it took")
    func staleAnswer() {
        let notes = TransitionNotes()
        let question = notes.question
        notes.beginEdge()
        notes.endEdge()
        #expect(!notes.insertReady(question))
        #expect(notes.insertReady(notes.question))
    }

    @Test("an answer from while it gets an edge says nothing, and one from before that is noted no more")
    func answerMeanwhile() {
        let notes = TransitionNotes()
        #expect(notes.insertReady(notes.question))
        notes.beginEdge()
        let question = notes.question
        #expect(!notes.insertReady(question) && !notes.contains(any: .ready))
        notes.endEdge()
        #expect(!notes.insertReady(question))
        #expect(notes.insertReady(notes.question) && !notes.insertReady(notes.question))
    }

    @Test("an answer from while it was being added behind a barrier says nothing")
    func pendingAnswer() {
        let notes = TransitionNotes(.isReadinessPending)
        let question = notes.question
        notes.remove(.isReadinessPending)
        #expect(!notes.insertReady(question))
        #expect(notes.insertReady(notes.question))
    }

    @Test("other notes change nothing about an answer, and what executes has been ready")
    func otherNotes() {
        let notes = TransitionNotes()
        let question = notes.question
        #expect(notes.insert(.cancelled))
        #expect(notes.insertReady(question) && notes.insert(.executing))
        notes.beginEdge()
        notes.endEdge()
        #expect(notes.contains(any: .ready) && !notes.insertReady(notes.question))
    }

    @Test("a million edges less one are not taken for none")
    func manyEdges() {
        let notes = TransitionNotes()
        let question = notes.question
        for _ in 1..<1 << 20 { notes.beginEdge() }
        notes.endEdge()
        #expect(!notes.insertReady(question))
    }
}
