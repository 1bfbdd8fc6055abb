/// Where the code of a closure is, as a log says it: `path+0x1f@89ab`.
struct CodeOrigin {
    /// Of the program's or the library's file.
    let path: String
    /// In the file's own addresses.
    let address: UInt64
    /// In hexadecimal digits. Nil if the file had no build ID.
    let buildID: String?

    /// Nil for a text of another form.
    init?(_ text: String) {
        guard let plus = text.lastIndex(of: "+"), text[plus...].hasPrefix("+0x") else { return nil }
        let parts = text[plus...].dropFirst(3).split(
            separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = UInt64(parts[0], radix: 16) else { return nil }
        path = String(text[..<plus])
        self.address = address
        buildID = parts.count > 1 ? String(parts[1]) : nil
    }

    /// The closure, as far as it can be told without its name: `closure in app+0x1f`.
    var place: String {
        "closure in " + path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...] + "+0x"
            + String(address, radix: 16)
    }
}
