import CRecordHost
import EventLog
import Foundation

/// The recorded processes, in the order of their arrival: which one a message is from, where the logs are,
/// and when each has ended.
struct RecordGuests {
    /// The number of places in the register.
    private static let placeCount: UInt32 = 1 << 16

    private(set) var list: [RecordGuest] = []
    private(set) var archive: LogArchive
    /// The register, in which the processes report what becomes of their logs; negative without one.
    let register: Int32
    private let places: UnsafeMutablePointer<record_place>?
    /// The last guest of each process, by its number. A process can have several because of `exec` and reused
    /// numbers.
    private var last: [Int32: Int] = [:]
    /// Guests by the descriptor that reports their end; and guests without such a descriptor.
    private var watched: [Int32: Int] = [:]
    private var unwatched: [Int] = []

    init(archive: LogArchive) {
        self.archive = archive
        var places: UnsafeMutablePointer<record_place>?
        register = record_host_make_register(Self.placeCount, &places)
        self.places = register < 0 ? nil : places
    }

    // MARK: Arrivals

    /// The guest that sent a message: a process that is known, or a new one.
    mutating func guest(for hello: record_hello, _ process: Int32) -> Int {
        let before = last[process]
        let index = knownGuest(for: hello, process) ?? add(newGuest(hello, process))
        // A process runs one program at a time. `exec` replaced the earlier one, so its log is complete.
        if let before, before != index, list[before].memory >= 0 { settle(before) }
        return index
    }

    private func knownGuest(for hello: record_hello, _ process: Int32) -> Int? {
        // Without a register, the process has no place in it.
        let place = hello.place == 0 ? nil : hello.place
        guard hello.state == RECORD_STATE_ASKING.rawValue, let known = last[process],
            list[known].place == place, !list[known].hasLog
        else { return nil }
        return known
    }

    private func newGuest(_ hello: record_hello, _ process: Int32) -> RecordGuest {
        var new = RecordGuest(process: process, hello: hello)
        let number = UInt32(list.count + 1)
        if hello.state == RECORD_STATE_LOADED.rawValue, places != nil, number < Self.placeCount {
            new.place = number
        }
        return new
    }

    @discardableResult
    private mutating func add(_ guest: RecordGuest) -> Int {
        list.append(guest)
        last[guest.process] = list.count - 1
        return list.count - 1
    }

    /// Stores that a process got no answer, because descriptors ran out.
    mutating func refuse(_ process: Int32) {
        if let known = last[process] {
            if !list[known].hasLog { list[known].refusal = EMFILE }
        } else {
            add(RecordGuest(process: process, refusal: EMFILE))
        }
    }

    /// Stores that a guest gets no memory for its log, because of this `errno`.
    mutating func refuse(_ index: Int, because error: Int32) { list[index].refusal = error }

    /// Stores the memory that a guest gets for its log, and watches for its end.
    mutating func give(_ memory: Int32, to index: Int) {
        list[index].refusal = 0
        list[index].memory = memory
        watch(index)
    }

    /// Adds to the log of a guest what a search of its memory found.
    mutating func add(_ searches: [LogEvent], to index: Int) { list[index].searches = searches }

    // MARK: Ends

    /// The descriptors that report ends.
    var watches: some Sequence<Int32> { watched.keys }

    /// Settles those whose descriptors are ready.
    mutating func settle(_ ready: Set<Int32>) {
        for index in ready.compactMap({ watched[$0] }) { settle(index) }
    }

    /// Checks the recorded processes without a descriptor that reports their end. Returns whether any are
    /// left.
    mutating func lookAtUnwatched() -> Bool {
        let before = unwatched
        unwatched = []
        for index in before where !list[index].isEnded {
            if isRunning(list[index]) { watch(index) } else { settle(index) }
        }
        return !unwatched.isEmpty
    }

    private mutating func watch(_ index: Int) {
        let watch = record_host_process_descriptor(list[index].process)
        list[index].watch = watch
        if watch >= 0 { watched[watch] = index } else { unwatched.append(index) }
    }

    private func isRunning(_ guest: RecordGuest) -> Bool {
        // A process with that number that belongs to another user cannot be signalled, but exists.
        guard guest.watch >= 0 else { return kill(guest.process, 0) == 0 || errno == EPERM }
        var request = pollfd(fd: guest.watch, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 0
    }

    /// The process has ended, so its log is complete. Moves a small log into the archive, and frees its
    /// descriptor.
    private mutating func settle(_ index: Int) {
        let watch = list[index].watch
        if watch >= 0 {
            watched[watch] = nil
            close(watch)
        }
        list[index].watch = -1
        list[index].isEnded = true
        archive.keep(&list[index])
    }

    /// Takes what the processes reported, at the end of the run. Call it once.
    ///
    /// - Parameters:
    ///   - program: the process that opviz started.
    ///   - ending: how it ended; nil if it could not be started.
    mutating func finish(_ program: pid_t, _ ending: RecordableProgram.Ending?) {
        for index in list.indices {
            if let place = list[index].place, let places {
                list[index].reported = record_host_place(places, place)
            }
            if list[index].memory >= 0, !isRunning(list[index]) { settle(index) }
        }
        if let ending, ending.signalNumber != 0, let index = last[program] {
            list[index].endingSignal = ending.signalNumber
        }
        if let places {
            record_host_end_register(register, places, UInt32(list.count) + 1, Self.placeCount)
        }
    }
}
