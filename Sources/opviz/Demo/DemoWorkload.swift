import Foundation
import Ops

/// What `opviz demo` records: photos are downloaded, decoded, resized and uploaded, and the album is
/// published. One download is retried, and one photo is damaged. Backups wait for a slot until all photos are
/// uploaded, because their priority is lower.
struct DemoWorkload {
    private static let photoCount = 9
    /// Not the first: its backup may get a slot before its upload.
    private static let photosToBackUp = 2...4
    private static let retriedPhoto = 4
    private static let damagedPhoto = 7

    private let queues: DemoQueues

    init(_ recorder: Recorder) { queues = DemoQueues(recorder) }

    /// Returns when every operation has finished, after about a second.
    func run() {
        let publish = DemoOperation.waiting("Publish", "publish album", milliseconds: 30)
        // Without the damaged photo.
        publish.runsRegardless = true
        for number in 1...Self.photoCount { publish.addDependency(add(number)) }
        queues.uploads.addOperation(publish)
        queues.uploads.waitUntilAllOperationsAreFinished()
    }

    /// - Returns: the upload of the photo.
    private func add(_ number: Int) -> Operation {
        let photo = "photo \(number)"
        let download = number == Self.retriedPhoto ? retried(photo) : download(photo, number)
        let decode =
            number == Self.damagedPhoto
            ? DemoOperation.failing("Decode", "decode \(photo)", .damagedFile)
            : DemoOperation.computing("Decode", "decode \(photo)", milliseconds: 12)
        let resize = DemoOperation.computing("Resize", "resize \(photo)", milliseconds: 25)
        let upload = DemoOperation.waiting("Upload", "upload \(photo)", milliseconds: 70)
        // The cover of the album.
        if number == 1 { for operation in [decode, resize, upload] { operation.queuePriority = .high } }
        decode.addDependency(download)
        resize.addDependency(decode)
        upload.addDependency(resize)
        queues.network.addOperation(download)
        queues.processor.addOperation(decode)
        queues.processor.addOperation(resize)
        queues.uploads.addOperation(upload)
        if Self.photosToBackUp.contains(number) { addBackup(of: photo, after: resize) }
        return upload
    }

    /// Uploads of higher priority come first, as long as there are any.
    private func addBackup(of photo: String, after resize: Operation) {
        let backup = DemoOperation.waiting("Backup", "backup \(photo)", milliseconds: 40)
        backup.queuePriority = .low
        backup.addDependency(resize)
        queues.uploads.addOperation(backup)
    }

    private func download(_ photo: String, _ number: Int) -> Operation {
        DemoOperation.waiting("Download", "download \(photo)", milliseconds: 50 + number % 4 * 10)
    }

    /// The first attempt fails.
    private func retried(_ photo: String) -> Operation {
        RetriedDownload(
            name: "download \(photo)",
            policy: RetryPolicy(delay: .constant(.milliseconds(120)), jitter: .none),
            recorder: queues.recorder
        ) { attempt in
            let name = "download \(photo), attempt \(attempt)"
            return attempt == 1
                ? DemoOperation.failing("Download", name, .connectionLost)
                : DemoOperation.waiting("Download", name, milliseconds: 70)
        }
    }
}

/// Named for its kind in the trace.
private final class RetriedDownload: RetryOperation<Void>, @unchecked Sendable {}
