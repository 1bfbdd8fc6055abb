import Testing

@testable import Ops

@Suite("The flags of an operation")
struct TransitionFlagsTests {
    @Test("an answer from before an edge says nothing, however long it took")
    func staleAnswer() {
        let notes = TransitionFlags()
        let question = notes.question
        notes.beginEdge()
        notes.endEdge()
        let (old, new) = (notes.insertReady(question), notes.insertReady(notes.question))
        #expect(!old && new)
    }

    @Test("an answer from while an edge is added says nothing, and an earlier one no longer counts")
    func answerMeanwhile() {
        let notes = TransitionFlags()
        let first = notes.insertReady(notes.question)
        notes.beginEdge()
        let question = notes.question
        let meanwhile = notes.insertReady(question) || notes.contains(any: .ready)
        notes.endEdge()
        let late = notes.insertReady(question)
        let (asked, again) = (notes.insertReady(notes.question), notes.insertReady(notes.question))
        #expect(first && !meanwhile && !late)
        #expect(asked && !again)
    }

    @Test("an answer from while an operation was being added behind a barrier says nothing")
    func pendingAnswer() {
        let notes = TransitionFlags(.isReadinessPending)
        let question = notes.question
        notes.remove(.isReadinessPending)
        let (old, new) = (notes.insertReady(question), notes.insertReady(notes.question))
        #expect(!old && new)
    }

    @Test("other notes change nothing about an answer, and what executes has been ready")
    func otherNotes() {
        let notes = TransitionFlags()
        let question = notes.question
        let isCancelled = notes.insert(.cancelled)
        let (isReady, isExecuting) = (notes.insertReady(question), notes.insert(.executing))
        #expect(isCancelled && isReady && isExecuting)
        notes.beginEdge()
        notes.endEdge()
        let (hasBeenReady, isReadyAgain) = (notes.contains(any: .ready), notes.insertReady(notes.question))
        #expect(hasBeenReady && !isReadyAgain)
    }

    @Test("an answer says nothing while one of two threads has not given its operation the edge yet")
    func twoThreads() {
        let notes = TransitionFlags()
        notes.beginEdge()
        notes.beginEdge()
        notes.endEdge()
        let early = notes.insertReady(notes.question)
        notes.endEdge()
        let late = notes.insertReady(notes.question)
        #expect(!early && late)
    }

    @Test("a million edges are not mistaken for zero")
    func manyEdges() {
        let notes = TransitionFlags()
        let question = notes.question
        for _ in 0..<1 << 20 {
            notes.beginEdge()
            notes.endEdge()
        }
        let isTaken = notes.insertReady(question)
        #expect(!isTaken)
    }
}
