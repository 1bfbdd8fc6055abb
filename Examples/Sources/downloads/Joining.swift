import Foundation
import Ops

extension Depot {
    private static let film = "film"

    /// Operations that run when two others are done: one that works, one that is cancelled and rolls back,
    /// and one that never begins because a part is missing.
    func join() async throws {
        let (parts, joins) = (queue("parts", slots: 3), queue("joins", slots: 1))
        let film = joinFiles(SampleFiles.parts, on: parts, joins, name: "join")
        await film.finished()
        let data = SampleFiles.parts.compactMap { SampleFiles.all[$0] }.reduce(Data(), +)
        try check(Self.film, holds: data)
        print("after two      \(Self.film) is made of \(SampleFiles.parts.joined(separator: " and "))")

        let newFilm = joinFiles(SampleFiles.newParts, on: parts, joins, name: "join, cancelled") {
            join, count in
            // Somebody changes their mind.
            if count == 3 { join.cancel() }
        }
        await newFilm.finished()
        try Fault.unless(newFilm.output?.isCancellation == true, "a join was cancelled, and says otherwise")
        try checkFilm(holds: data)
        print("rolled back    \(Self.film) is what it was, and nothing lies beside it")

        let impossible = joinFiles(
            [SampleFiles.parts[0], SampleFiles.missing], on: parts, joins, name: "join, in vain")
        await impossible.finished()
        guard case .failure(let reason as DependencyFailure)? = impossible.output else {
            throw Fault(description: "a join was made of a part that is missing")
        }
        try checkFilm(holds: data)
        print("never began    \(reason)")
    }

    private func checkFilm(holds data: Data) throws {
        try check(Self.film, holds: data)
        let others = try contents().filter { $0.hasPrefix(Self.film) && $0 != Self.film }
        try Fault.unless(others.isEmpty, "\(others) was left behind")
    }

    private func joinFiles(
        _ files: [String], on parts: InstrumentedQueue, _ joins: InstrumentedQueue, name: String,
        afterChunk: (@Sendable (JoinFiles, Int) -> Void)? = nil
    ) -> JoinFiles {
        let downloads = files.map { download($0) }
        let join = JoinFiles(downloads, to: url(of: Self.film), name: name, afterChunk: afterChunk)
        joins.addOperation(join)
        for download in downloads { parts.addOperation(download) }
        return join
    }
}
