/// A column of whole numbers for the page: variable-length bytes in base64, a few times smaller than numbers
/// in JSON and many times faster to read.
///
/// Each number, or its difference to the one before if that is shorter, is encoded as `(n << 1) ^ (n >> 63)`,
/// so that small numbers of either sign are short. It is written in groups of seven bits, the lowest first,
/// as in LEB128. A column with a single repeated number is stored as that number.
enum PageColumn {
    /// Linear in numbers.
    static func object(_ numbers: [Int64]) -> JSONObject {
        var object = JSONObject()
        if let first = numbers.first, numbers.allSatisfy({ $0 == first }) {
            object.add("same", first)
            return object
        }
        var (plainCount, differenceCount) = (0, 0)
        var before: Int64 = 0
        for number in numbers {
            plainCount += count(folded(number))
            differenceCount += count(folded(number &- before))
            before = number
        }
        let isDifference = differenceCount < plainCount
        let bytes = bytes(numbers, isDifference, count: isDifference ? differenceCount : plainCount)
        object.add(isDifference ? "differences" : "numbers", base64(bytes))
        return object
    }

    private static func folded(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: (value << 1) ^ (value >> 63))
    }

    /// How many bytes it takes: one for each seven bits.
    private static func count(_ value: UInt64) -> Int {
        value < 0x80 ? 1 : (UInt64.bitWidth - value.leadingZeroBitCount + 6) / 7
    }

    private static func bytes(_ numbers: [Int64], _ isDifference: Bool, count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var before: Int64 = 0
        for number in numbers {
            var rest = folded(isDifference ? number &- before : number)
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
            before = number
        }
        return bytes
    }

    /// Like Foundation's, but this module's reports do not import Foundation.
    static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let second = left > 1 ? bytes[index + 1] : 0
            let third = left > 2 ? bytes[index + 2] : 0
            text.append(digits[Int(bytes[index] >> 2)])
            text.append(digits[Int((bytes[index] & 3) << 4 | second >> 4)])
            text.append(left > 1 ? digits[Int((second & 15) << 2 | third >> 6)] : UInt8(ascii: "="))
            text.append(left > 2 ? digits[Int(third & 63)] : UInt8(ascii: "="))
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }
}
