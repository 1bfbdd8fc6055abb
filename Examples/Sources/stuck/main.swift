import Foundation

// Imports three pages, and never ends: each page waits, in its operation, for a download that needs a
// slot of the same queue.

let imports = OperationQueue()
imports.name = "imports"
imports.maxConcurrentOperationCount = 2

final class Download: Operation, @unchecked Sendable {
    override func main() { Thread.sleep(forTimeInterval: 0.05) }
}

final class ImportPage: Operation, @unchecked Sendable {
    override func main() {
        let download = Download()
        download.name = "download for \(name!)"
        imports.addOperations([download], waitUntilFinished: true)
    }
}

for number in 1...3 {
    let page = ImportPage()
    page.name = "page \(number)"
    imports.addOperation(page)
}

imports.waitUntilAllOperationsAreFinished()
