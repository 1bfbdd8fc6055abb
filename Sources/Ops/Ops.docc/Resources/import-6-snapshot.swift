import Foundation
import Ops

try Recorder.shared.start(writingTo: "import.json")

let queue = InstrumentedQueue()
queue.name = "import"

let pages = GatherOperation(1...4, name: "pages", maxConcurrentOperationCount: 2) { number in
    SynchronousOperation(name: "parse \(number)", kind: "Parse") {
        Thread.sleep(forTimeInterval: 0.02)
        return "page \(number)"
    }
}
let store = pages.thenSynchronously(name: "store", kind: "Store") { pages in
    Recorder.shared.mark("\(pages.count) pages to store")
    print("stored \(pages.joined(separator: ", "))")
}
queue.addOperations([pages, store], waitUntilFinished: false)

Thread.sleep(forTimeInterval: 0.01)
print(queue.snapshot())

queue.waitUntilAllOperationsAreFinished()
try Recorder.shared.stop()
