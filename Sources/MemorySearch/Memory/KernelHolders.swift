import CRecordHost
import Foundation

/// What the kernel keeps for a stopped process, and gives back to it: the data of epoll's descriptors and of
/// timers, and what is in pipes and sockets.
struct KernelHolders {
    private(set) var words: [MemoryRoots.Words] = []
    /// The first of what the kernel may keep as well, and does not show: a clause such as `it uses io_uring`.
    /// Nil for nothing.
    private(set) var unseen: String?

    /// As much as a pipe or socket usually keeps.
    private static let mostUnread = 1 << 20
    /// The first signal that carries a value and waits in a queue.
    private static let firstQueuedSignal: UInt64 = 32

    /// While the process stands still, nothing is allocated for each of its descriptors.
    private var buffer = [UInt8](repeating: 0, count: mostUnread)

    init(_ process: Int32, _ mappings: [MemoryMapping]) {
        let folder = "/proc/\(process)"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd")) ?? []
        if descriptors.isEmpty { note("its descriptors are not shown to this user") }
        for descriptor in descriptors.compactMap(Int32.init).sorted() {
            let target =
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\(descriptor)"))
                ?? ""
            switch target.prefix(while: { $0 != ":" }) {
            case "anon_inode" where target.hasSuffix("[eventpoll]"): addEvents(folder, descriptor)
            case "anon_inode" where target.hasSuffix("[io_uring]"): note("it uses io_uring")
            case "pipe", "socket": addUnread(process, descriptor, target)
            default: break
            }
        }
        if mappings.contains(where: { $0.name.hasPrefix("/[aio]") }) {
            note("it uses the kernel's aio")
        }
        addTimers(folder)
        addSignals(folder)
    }

    private mutating func note(_ clause: String) { unseen = unseen ?? clause }

    /// `tfd: 5 events: 19 data: 7f0c…`
    private mutating func addEvents(_ folder: String, _ descriptor: Int32) {
        guard let text = ProcessFile.text("\(folder)/fdinfo/\(descriptor)") else {
            return note("what its epoll watches is not shown")
        }
        let data = text.split(separator: "\n").compactMap { line -> UInt64? in
            let fields = line.split { $0.isWhitespace }
            guard fields.first == "tfd:", let place = fields.firstIndex(of: "data:"), place + 1 < fields.count
            else {
                return nil
            }
            return UInt64(fields[place + 1], radix: 16)
        }
        words.append(.init(holder: .kernel("what epoll watches"), words: data))
    }

    private mutating func addUnread(_ process: Int32, _ descriptor: Int32, _ target: String) {
        let count = stopped_process_unread(process, descriptor, &buffer, Self.mostUnread)
        guard count >= 0, count < Self.mostUnread else {
            return note(
                "what is in descriptor \(descriptor), a \(target.prefix { $0 != ":" }), cannot be seen")
        }
        guard count >= 8 else { return }
        let found = buffer.withUnsafeBytes { bytes in
            (0...count - 8).map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
        }
        words.append(.init(holder: .kernel("what is unread in descriptor \(descriptor)"), words: found))
    }

    /// `signal: 10/00007f0c…`
    private mutating func addTimers(_ folder: String) {
        guard let text = ProcessFile.text(folder + "/timers") else {
            return note("its timers are not shown")
        }
        let values = text.split(separator: "\n").compactMap { line -> UInt64? in
            guard line.hasPrefix("signal:"), let value = line.split(separator: "/").last else { return nil }
            return UInt64(value, radix: 16)
        }
        words.append(.init(holder: .kernel("a timer"), words: values))
    }

    /// Signals that wait in a queue, with a value each.
    private mutating func addSignals(_ folder: String) {
        let status = ProcessFile.text(folder + "/status") ?? ""
        let isPending = status.split(separator: "\n").contains { line in
            guard line.hasPrefix("SigPnd:") || line.hasPrefix("ShdPnd:"),
                let bits = line.split(whereSeparator: \.isWhitespace).last
            else { return false }
            return (UInt64(bits, radix: 16) ?? 0) >> (Self.firstQueuedSignal - 1) != 0
        }
        if isPending { note("signals with values wait for it") }
    }
}
