/// The location of a closure's code, as in a log: `path+0x1f@89ab`.
package struct CodeOrigin {
    /// The path of the program or the library.
    package let path: String
    /// An address in the file's own address space.
    let address: UInt64
    /// In hexadecimal digits. Nil if the file had no build ID.
    let buildID: String?

    /// Nil for a text in another form.
    package init?(_ text: String) {
        guard let plus = text.lastIndex(of: "+"), text[plus...].hasPrefix("+0x") else { return nil }
        let parts = text[plus...].dropFirst(3).split(
            separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = UInt64(parts[0], radix: 16) else { return nil }
        path = String(text[..<plus])
        self.address = address
        buildID = parts.count > 1 ? String(parts[1]) : nil
    }

    /// How the description of a closure without a name begins.
    static let placePrefix = "closure at 0x"

    /// A description of the closure without its name: `closure at 0x1f in app`. The address comes first,
    /// because names are shortened at their ends.
    package var place: String {
        Self.placePrefix + String(address, radix: 16) + " in "
            + FilePath.name(path)
    }
}
