import EventLog

/// How the registers of a function's caller follow from its own, at one instruction: from what compilers
/// write into `.eh_frame` for exceptions, which stripping keeps. Nothing in the file is trusted.
///
/// The form is that of the Linux Standard Base, "Exception Frames", with the instructions of DWARF 5,
/// section 6.4.2.
struct CallFrameRules: Equatable {
    /// What the caller's stack pointer is: a register's value (in DWARF's numbers), plus an offset in bytes.
    var base: (register: Int, offset: Int64) = (0, 0)
    /// Where registers are saved, in bytes from the caller's stack pointer.
    var saved: [Int: Int64] = [:]
    /// Registers that have no value in the caller. If the address to return to is among them, the function is
    /// the outermost.
    var undefined: Set<Int> = []
    /// The number of the register with the address to return to.
    var returnRegister = 0
    /// Whether an expression says where the caller's stack begins, or some register is.
    var isComputed = false

    static func == (one: Self, other: Self) -> Bool {
        one.base == other.base && one.saved == other.saved && one.undefined == other.undefined
            && one.returnRegister == other.returnRegister && one.isComputed == other.isComputed
    }

    private init() {}

    /// The largest description of a function that is read, in bytes.
    private static let largest = 1 << 13
    private static let mostRemembered = 16

    /// - Parameter address: in the file's own address space.
    /// - Returns: nil if the file does not describe the code there in the usual form.
    init?(at address: UInt64, in file: ELFFile, _ table: UnwindTable) {
        guard let entry = table.entry(of: address), let start = file.offset(ofAddress: entry.description),
            let place = Int(exactly: start), var function = Self.entry(at: place, in: file)
        else { return nil }
        let back = function.fixed(4)
        guard let commonPlace = Int(exactly: back).map({ place + 4 - $0 }), commonPlace >= 0,
            var common = Self.entry(at: commonPlace, in: file), common.fixed(4) == 0,
            let form = CommonForm(&common)
        else { return nil }
        guard let width = form.pointerWidth else { return nil }
        function.skip(width)
        let size = function.fixed(width)
        guard address >= entry.start, address - entry.start < size else { return nil }
        if form.hasAugmentation { function.skip(Int(clamping: function.unsigned())) }
        var rows = Rows(form)
        rows.rules.returnRegister = form.returnRegister
        guard rows.run(&common, until: .max) else { return nil }
        rows.initial = rows.rules
        guard rows.run(&function, until: address - entry.start), !function.isOver else { return nil }
        self = rows.rules
    }

    /// The bytes of a description, without its length.
    private static func entry(at place: Int, in file: ELFFile) -> DescriptionBytes? {
        let length = file.uint32(place)
        guard length > 0, length <= largest else { return nil }
        let bytes = file.read(place + 4, length)
        return bytes.count == length ? DescriptionBytes(bytes) : nil
    }

    /// What functions have in common: a "common information entry".
    private struct CommonForm {
        let codeUnit: UInt64
        let dataUnit: Int64
        let returnRegister: Int
        let hasAugmentation: Bool
        /// How many bytes an address takes; nil in a form that is not used on Linux.
        private(set) var pointerWidth: Int? = 8

        /// Reads up to the instructions.
        init?(_ bytes: inout DescriptionBytes) {
            let version = bytes.fixed(1)
            guard version == 1 || version == 3 else { return nil }
            let augmentation = bytes.text()
            codeUnit = bytes.unsigned()
            dataUnit = bytes.signed()
            returnRegister = Int(clamping: version == 1 ? bytes.fixed(1) : bytes.unsigned())
            hasAugmentation = augmentation.first == "z"
            guard hasAugmentation || augmentation.isEmpty else { return nil }
            guard hasAugmentation else { return }
            let size = Int(clamping: bytes.unsigned())
            var instructions = bytes
            instructions.skip(size)
            for letter in augmentation.dropFirst() {
                switch letter {
                case "R": pointerWidth = Self.width(bytes.fixed(1))
                case "L": bytes.skip(1)
                case "P":
                    guard let width = Self.width(bytes.fixed(1)) else { return nil }
                    bytes.skip(width)
                default: continue
                }
            }
            bytes = instructions
        }

        /// The lower half of the byte says how an address is written, the upper half what it is relative to.
        private static func width(_ encoding: UInt64) -> Int? {
            switch encoding & 0x0f {
            case 0x00, 0x04, 0x0c: 8
            case 0x03, 0x0b: 4
            case 0x02, 0x0a: 2
            default: nil
            }
        }
    }

    /// Runs the instructions of a description.
    private struct Rows {
        let form: CommonForm
        var rules = CallFrameRules()
        var initial = CallFrameRules()
        private var remembered: [CallFrameRules] = []
        private var location: UInt64 = 0

        init(_ form: CommonForm) { self.form = form }

        /// Up to the row for an offset in the function. False if an instruction is not known.
        mutating func run(_ bytes: inout DescriptionBytes, until offset: UInt64) -> Bool {
            while !bytes.isAtEnd {
                let first = bytes.fixed(1)
                let operand = Int(first & 0x3f)
                switch first >> 6 {
                case 1:
                    location &+= UInt64(operand) &* form.codeUnit
                    if location > offset { return true }
                case 2: save(operand, Int64(bitPattern: bytes.unsigned()))
                case 3: restore(operand)
                default:
                    guard let isPast = runLonger(operand, &bytes, until: offset) else { return false }
                    if isPast { return true }
                }
            }
            return true
        }

        /// Whether it leads past the offset; nil if the instruction is not known.
        private mutating func runLonger(
            _ instruction: Int, _ bytes: inout DescriptionBytes, until offset: UInt64
        ) -> Bool? {
            switch instruction {
            case 0x00, 0x2d: break  // nothing; signed addresses of return, on Arm
            case 0x01: return nil
            case 0x02, 0x03, 0x04:
                location &+= bytes.fixed(1 << (instruction - 2)) &* form.codeUnit
                return location > offset
            case 0x05: save(register(&bytes), Int64(bitPattern: bytes.unsigned()))
            case 0x06: restore(register(&bytes))
            case 0x07:
                let register = register(&bytes)
                rules.saved[register] = nil
                rules.undefined.insert(register)
            case 0x08: keep(register(&bytes))
            case 0x09:
                keep(register(&bytes))
                _ = bytes.unsigned()
                rules.isComputed = true
            case 0x0a:
                if remembered.count < CallFrameRules.mostRemembered { remembered.append(rules) }
            case 0x0b: if let last = remembered.popLast() { rules = last }
            case 0x0c:
                let register = register(&bytes)
                rules.base = (register, Int64(bitPattern: bytes.unsigned()))
            case 0x0d: rules.base.register = register(&bytes)
            case 0x0e: rules.base.offset = Int64(bitPattern: bytes.unsigned())
            case 0x0f:
                bytes.skip(Int(clamping: bytes.unsigned()))
                rules.isComputed = true
            case 0x10, 0x16:
                keep(register(&bytes))
                bytes.skip(Int(clamping: bytes.unsigned()))
                rules.isComputed = true
            case 0x11: save(register(&bytes), bytes.signed())
            case 0x12:
                let register = register(&bytes)
                rules.base = (register, bytes.signed() &* form.dataUnit)
            case 0x13: rules.base.offset = bytes.signed() &* form.dataUnit
            case 0x2e: _ = bytes.unsigned()  // the size of arguments
            default: return nil
            }
            return false
        }

        private func register(_ bytes: inout DescriptionBytes) -> Int { Int(clamping: bytes.unsigned()) }

        private mutating func save(_ register: Int, _ factor: Int64) {
            rules.saved[register] = factor &* form.dataUnit
            rules.undefined.remove(register)
        }

        private mutating func keep(_ register: Int) {
            rules.saved[register] = nil
            rules.undefined.remove(register)
        }

        private mutating func restore(_ register: Int) {
            rules.saved[register] = initial.saved[register]
            if initial.undefined.contains(register) {
                rules.undefined.insert(register)
            } else {
                rules.undefined.remove(register)
            }
        }
    }
}

/// The numbers of a description, one after the other. Zeros after its end.
struct DescriptionBytes {
    private let bytes: [UInt8]
    private(set) var place = 0
    /// Whether more was read than there is.
    private(set) var isOver = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place >= bytes.count }

    mutating func skip(_ count: Int) {
        guard count >= 0, count <= bytes.count - place else {
            (place, isOver) = (bytes.count, true)
            return
        }
        place += count
    }

    mutating func fixed(_ width: Int) -> UInt64 {
        let start = place
        skip(width)
        guard !isOver else { return 0 }
        return bytes[start..<start + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// LEB128.
    mutating func unsigned() -> UInt64 { number().value }

    mutating func signed() -> Int64 {
        let (value, bits) = number()
        guard bits < 64, value >> UInt64(bits - 1) & 1 == 1 else { return Int64(bitPattern: value) }
        return Int64(bitPattern: value | ~0 << UInt64(bits))
    }

    private mutating func number() -> (value: UInt64, bits: Int) {
        var (value, bits): (UInt64, Int) = (0, 0)
        while true {
            let byte = fixed(1)
            value |= (byte & 0x7f) << UInt64(bits)
            bits += 7
            if byte & 0x80 == 0 || isOver || bits > 63 { return (value, bits) }
        }
    }

    /// Up to a zero.
    mutating func text() -> String {
        var text: [UInt8] = []
        while !isOver, case let byte = fixed(1), byte != 0 { text.append(UInt8(byte)) }
        return String(decoding: text, as: UTF8.self)
    }
}
