import Foundation
import Ops

extension HazardProgram {
    /// An actor runs one task at a time. What it calculates in its methods, nobody calculates beside it.
    static let actorDoesEverything = HazardProgram(
        id: "actor-does-everything",
        summary:
            "an actor draws the thumbnails that it keeps: one after the other, on any number of processors",
        wrong: {
            let album = Album()
            return draw(album) { page in await album.drawAndKeep(page) }
        },
        right: {
            let album = Album()
            return draw(album) { page in await album.keep(album.draw(page), of: page) }
        })

    private static func draw(_ album: Album, _ page: @escaping @Sendable (Int) async -> Void) -> Verdict {
        inTask {
            await withTaskGroup(of: Void.self) { group in
                for number in 1...8 { group.addTask(name: "page \(number)") { await page(number) } }
            }
        }
        let most = album.most
        let isAlone = ProcessInfo.processInfo.activeProcessorCount == 1
        return Verdict(
            most > 1 || isAlone, most > 1 ? "drew several at once" : "drew one page after the other")
    }
}

private actor Album {
    private var thumbnails: [Int: Int] = [:]
    private nonisolated let drawing = Shared((now: 0, most: 0))

    nonisolated var most: Int { drawing.value.most }

    func drawAndKeep(_ page: Int) { thumbnails[page] = draw(page) }

    func keep(_ thumbnail: Int, of page: Int) { thumbnails[page] = thumbnail }

    nonisolated func draw(_ page: Int) -> Int {
        drawing.update { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        Calculation(seconds: 0.06).run()
        drawing.update { $0.now -= 1 }
        return page
    }
}
