extension LogHeader {
    /// Whether a file that begins with `bytes` is a JSON log that a recorder wrote.
    public static func recognizesJSON(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: #"{"otherData":{"format":"\#(format)""#.utf8)
    }

    /// What stands before the first event of a JSON log.
    ///
    /// The fields that are known only at the end have a fixed width, so that the recorder can write the header
    /// again in its place when it closes the log. The number of bytes does not depend on those fields.
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
        bytes.append(contentsOf: "\"},\n\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n".utf8)
        return bytes
    }
}
