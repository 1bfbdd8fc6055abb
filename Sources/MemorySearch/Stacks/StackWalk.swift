import CRecordHost
import EventLog

/// Follows the calls on a thread's stack, from its registers: by what compilers write down for exceptions,
/// and by frame pointers where nothing is written down.
struct StackWalk {
    /// The most functions of a stack.
    static let most = 512

    /// A function on the stack: where it is, and what its registers are.
    struct Frame {
        /// Within the call, if it calls another one.
        let place: UInt64
        /// Nil if it is not known.
        let stackPointer: UInt64?
        /// Those that are known.
        let values: [UInt64]
    }

    /// In the numbers of DWARF.
    private struct Registers {
        var values: [Int: UInt64]
        var place: UInt64

        var stackPointer: UInt64? {
            get { values[StoppedRegisters.stackPointer] }
            set { values[StoppedRegisters.stackPointer] = newValue }
        }
        var framePointer: UInt64? {
            get { values[StoppedRegisters.framePointer] }
            set { values[StoppedRegisters.framePointer] = newValue }
        }
    }

    private let code: ProcessCode
    /// The word at an address of the stack; nil if it was not copied.
    private let word: (UInt64) -> UInt64?

    init(_ code: ProcessCode, _ word: @escaping (UInt64) -> UInt64?) {
        self.code = code
        self.word = word
    }

    /// The innermost function first.
    func frames(_ thread: StoppedThread) -> [Frame] {
        guard let start = StoppedRegisters.values(thread.registers) else { return [] }
        var registers = Registers(values: start.values, place: start.place)
        var found: [Frame] = []
        while found.count < Self.most, code.contains(registers.place) {
            // A call may be the last instruction of a function.
            let place = found.isEmpty ? registers.place : registers.place - 1
            found.append(
                Frame(
                    place: place, stackPointer: registers.stackPointer, values: Array(registers.values.values)
                ))
            guard let caller = caller(of: registers, at: place, isInnermost: found.count == 1) else { break }
            let (own, next) = (registers.stackPointer ?? 0, caller.stackPointer ?? 0)
            guard next > own || next == own && caller.place != registers.place else { break }
            registers = caller
        }
        return found
    }

    private func caller(of registers: Registers, at place: UInt64, isInnermost: Bool) -> Registers? {
        guard let rules = code.rules(at: place), !rules.isComputed else {
            return callerByFramePointer(registers)
        }
        if rules.undefined.contains(rules.returnRegister) { return nil }
        guard let base = registers.values[rules.base.register] else {
            return callerByFramePointer(registers)
        }
        let start = base &+ UInt64(bitPattern: rules.base.offset)
        var caller = registers
        // What a call may overwrite, the caller does not read again.
        caller.values = caller.values.filter { StoppedRegisters.kept.contains($0.key) }
        for register in rules.undefined { caller.values[register] = nil }
        for (register, offset) in rules.saved {
            caller.values[register] = word(start &+ UInt64(bitPattern: offset))
        }
        caller.stackPointer = start
        let returnRegister = rules.returnRegister
        // Arm has it in a register until the function saves it.
        let returned =
            isInnermost && rules.saved[returnRegister] == nil
            ? registers.values[returnRegister] : caller.values[returnRegister]
        guard let address = returned else { return nil }
        caller.place = address & ReachableMemory.addressBits
        return caller
    }

    private func callerByFramePointer(_ registers: Registers) -> Registers? {
        guard let frame = registers.framePointer, frame >= registers.stackPointer ?? 0,
            let next = word(frame), let address = word(frame &+ 8)
        else { return nil }
        var caller = registers
        caller.framePointer = next
        caller.stackPointer = frame &+ 16
        caller.place = address & ReachableMemory.addressBits
        return caller
    }
}

/// Which of a thread's registers, as the kernel lists them, has which number of DWARF.
enum StoppedRegisters {
    #if arch(x86_64)
        static let framePointer = 6
        static let stackPointer = 7
        /// Of `user_regs_struct`: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15.
        private static let order = [10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0]
        private static let place = 16
        /// Those that a call leaves as they were: rbx, rbp, rsp, and r12 to r15.
        static let kept: Set = [3, 6, 7, 12, 13, 14, 15]
    #else
        static let framePointer = 29
        static let stackPointer = 31
        private static let order = Array(0...31)
        private static let place = 32
        static let kept = Set(19...29).union([31])
    #endif

    static func values(_ registers: [UInt64]) -> (values: [Int: UInt64], place: UInt64)? {
        guard registers.count > max(place, order.max() ?? 0) else { return nil }
        let values = order.enumerated().map { ($0.offset, registers[$0.element]) }
        return (Dictionary(uniqueKeysWithValues: values), registers[place])
    }
}

/// A copy of the used part of a thread's stack.
struct ThreadMemory {
    let start: UInt64
    let bytes: [UInt8]

    func word(_ address: UInt64) -> UInt64? {
        guard address >= start, bytes.count >= 8, address - start <= UInt64(bytes.count - 8) else {
            return nil
        }
        return bytes.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: Int(address - start), as: UInt64.self)
        }
    }
}
