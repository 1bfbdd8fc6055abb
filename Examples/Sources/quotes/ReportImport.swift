import Foundation
import Ops

/// What became of an import.
struct Report: Sendable {
    var stored = 0
    /// One sentence for each page that is missing.
    var failures: [String] = []
}

/// Counts the results of the pages when all of them are done, with any outcome.
final class ReportImport: SynchronousOperation<Report>, @unchecked Sendable {
    private let pages: [ImportPage]

    init(of pages: [ImportPage]) {
        self.pages = pages
        super.init(name: "report", runsRegardless: true)
        for page in pages { addDependency(page) }
    }

    override func run() -> Report {
        pages.reduce(into: Report()) { report, page in
            do {
                report.stored += try page.quotes().count
            } catch {
                report.failures.append("\(page.name ?? ""): \(error)")
            }
        }
    }
}
