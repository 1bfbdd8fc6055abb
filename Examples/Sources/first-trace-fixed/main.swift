import Foundation
import Ops

// first-trace-fixed              four downloads at a time
// first-trace-fixed --slots 1    one download at a time

final class Resize: Operation, @unchecked Sendable {
    override func main() { Thread.sleep(forTimeInterval: 0.004) }
}

let network = InstrumentedQueue()
let processor = InstrumentedQueue()
network.name = "network"
processor.name = "processor"
network.maxConcurrentOperationCount = 4
let slots = UserDefaults.standard.integer(forKey: "-slots")
if slots > 0 { network.maxConcurrentOperationCount = slots }

for number in 1...12 {
    let download = TaskOperation(name: "download \(number)", kind: "Download") {
        try await Task.sleep(for: .milliseconds(25))  // the server, without a thread that waits for it
    }
    let resize = Resize()
    resize.name = "resize \(number)"
    resize.addDependency(download)
    network.addOperation(download)
    processor.addOperation(resize)
}

processor.waitUntilAllOperationsAreFinished()
print("12 thumbnails")
