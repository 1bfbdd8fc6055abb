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
        let plain = bytes(numbers, isDifference: false)
        let differences = bytes(numbers, isDifference: true)
        if differences.count < plain.count {
            object.add("differences", base64(differences))
        } else {
            object.add("numbers", base64(plain))
        }
        return object
    }

    private static func bytes(_ numbers: [Int64], isDifference: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count * 2)
        var before: Int64 = 0
        for number in numbers {
            let value = isDifference ? number &- before : number
            var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
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
