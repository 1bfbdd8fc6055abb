/// How the file of a program was built, as far as its functions can be recognized.
package struct ProgramForm {
    /// Whether its functions have no names, except those that it exports.
    package let isStripped: Bool
    /// Whether most of its functions set up no frame, so that their callers are not seen. Nil if that is not
    /// known.
    package let lacksFrames: Bool?

    /// Nil if it is not a 64-bit ELF file.
    package init?(path: String) {
        guard let elf = ELFFile(path: path) else { return nil }
        isStripped = ELFSymbols(elf)?.isStripped ?? true
        lacksFrames = FunctionNames.lacksFrames(elf)
    }
}
