/// An argument as it is typed into a shell, safe to print on a terminal.
package enum ShellText {
    package static func quoted(_ argument: String) -> String {
        let isPlain =
            !argument.isEmpty
            && argument.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_./:=+,@%".utf8.contains(byte)
            }
        if isPlain { return argument }
        return "'" + TerminalText.escaped(argument).replacing("'", with: "'\\''") + "'"
    }
}
