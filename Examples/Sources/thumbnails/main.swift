import Foundation

// Makes thumbnails of twelve pictures. The sleeps stand for a server, a processor and a disk.
//
// thumbnails              one download at a time
// thumbnails --slots 4    four downloads at a time
// thumbnails --sharp      better pictures, which take ten times as long

final class Download: Operation, @unchecked Sendable {
    override func main() { Thread.sleep(forTimeInterval: 0.025) }
}

final class Resize: Operation, @unchecked Sendable {
    override func main() {
        Thread.sleep(forTimeInterval: CommandLine.arguments.contains("--sharp") ? 0.040 : 0.004)
    }
}

final class Store: Operation, @unchecked Sendable {
    override func main() { Thread.sleep(forTimeInterval: 0.002) }
}

let network = OperationQueue()
let processor = OperationQueue()
network.name = "network"
processor.name = "processor"
network.maxConcurrentOperationCount = max(1, UserDefaults.standard.integer(forKey: "-slots"))
processor.maxConcurrentOperationCount = 2

for number in 1...12 {
    let download = Download()
    let resize = Resize()
    let store = Store()
    download.name = "download \(number)"
    resize.name = "resize \(number)"
    store.name = "store \(number)"
    resize.addDependency(download)
    store.addDependency(resize)
    network.addOperation(download)
    processor.addOperation(resize)
    processor.addOperation(store)
}

processor.waitUntilAllOperationsAreFinished()
print("12 thumbnails")
