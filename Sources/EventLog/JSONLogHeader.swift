extension LogHeader {
    /// Whether a file that begins with `bytes` is a JSON log that a recorder wrote.
    package static func recognizesJSON(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: #"{"otherData":{"format":"\#(format)""#.utf8)
    }

    /// The bytes before the first event of a JSON log.
    ///
    /// Fields that are known only at the end have a fixed width, so that the recorder can overwrite the
    /// header when it closes the log. The number of bytes does not depend on those fields.
    public func jsonPrologue() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(
            contentsOf: #"{"otherData":{"format":"\#(Self.format)","version":\#(Self.currentVersion)"#.utf8)
        bytes.append(contentsOf: #","process":"#.utf8)
        JSONText.append(process, to: &bytes)
        bytes.append(contentsOf: #","pid":"\#(processID)","host":"#.utf8)
        JSONText.append(host, to: &bytes)
        bytes.append(
            contentsOf: #","start":"\#(start)","closed":\#(isClosed ? "true " : "false"),"dropped":""#.utf8)
        JSONText.appendPadded(droppedEvents, width: 20, to: &bytes)
        bytes.append(contentsOf: #"","lastAlive":""#.utf8)
        let lastAlive = UInt64(max(0, lastAlive))
        JSONText.appendPadded(lastAlive / 1000, width: 16, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        JSONText.appendPadded(lastAlive % 1000, width: 3, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        if let bootClock {
            bytes += #","boot":"\#(bootClock.boot.text)","monotonic":"\#(bootClock.monotonic)""#.utf8
        }
        if let recorder {
            bytes += #","recorder":"#.utf8
            JSONText.append(recorder, to: &bytes)
        }
        if let processorTimes { bytes += #","cpu":"\#(processorTimes.word)""#.utf8 }
        bytes.appendJSON(processors)
        if isOfAnotherProgram { bytes += #","otherProgram":true"#.utf8 }
        if let endingSignal { bytes += #","signal":"\#(endingSignal)""#.utf8 }
        if !processes.isEmpty {
            bytes += ",\"processes\":[".utf8
            for (index, (process, number)) in zip(processes, eventProcessIDs).enumerated() {
                bytes += (index == 0 ? "\n" : ",\n").utf8
                process.appendJSON(to: &bytes, eventProcessID: number)
            }
            bytes += "\n]".utf8
        }
        bytes.append(contentsOf: "},\n\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n".utf8)
        return bytes
    }
}

extension LogProcess {
    /// - Parameter eventProcessID: the `pid` of its events.
    fileprivate func appendJSON(to bytes: inout [UInt8], eventProcessID: Int32) {
        bytes += #"{"process":"#.utf8
        JSONText.append(process, to: &bytes)
        bytes += #","pid":"\#(processID)""#.utf8
        if eventProcessID != processID { bytes += #","eventPid":"\#(eventProcessID)""#.utf8 }
        bytes += #","host":"#.utf8
        JSONText.append(host, to: &bytes)
        bytes += #","start":"\#(start)","offset":""#.utf8
        JSONText.append(microseconds: offset, to: &bytes)
        bytes += #"","shift":""#.utf8
        JSONText.append(microseconds: shift, to: &bytes)
        bytes += #"","operationsBefore":"\#(operationsBefore)","closed":\#(isClosed)"#.utf8
        bytes += #","dropped":"\#(droppedEvents)","lastAlive":""#.utf8
        JSONText.append(microseconds: lastAlive, to: &bytes)
        bytes += "\"".utf8
        bytes.appendJSON(processors)
        bytes += "}".utf8
    }
}

extension [UInt8] {
    /// Members that follow others.
    fileprivate mutating func appendJSON(_ processors: ProcessorCount?) {
        guard let processors else { return }
        self += #","processors":"\#(processors.online)","usableProcessors":"\#(processors.usable)""#.utf8
        if let quota = processors.quotaInThousandths { self += #","processorQuota":"\#(quota)""#.utf8 }
        if let later = processors.usableLater { self += #","laterProcessors":"\#(later)""#.utf8 }
    }
}
