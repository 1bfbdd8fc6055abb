import Foundation
import Ops

try Recorder.shared.start(writingTo: "import.json")

let queue = InstrumentedQueue()
queue.name = "import"
queue.maxConcurrentOperationCount = 2

let store = BlockOperation {
    Recorder.shared.mark("four pages to store")
    print("stored")
}
store.name = "store"
for number in 1...4 {
    let parse = BlockOperation { Thread.sleep(forTimeInterval: 0.02) }
    parse.name = "parse \(number)"
    store.addDependency(parse)
    queue.addOperation(parse)
}
queue.addOperation(store)
queue.waitUntilAllOperationsAreFinished()
try Recorder.shared.stop()
