import Foundation
import TestTraces
import Testing

@testable import InspectorReports
@testable import InspectorText

@Suite("PageColumn")
struct PageColumnTests {
    @Test("numbers are read back unchanged, for any size and sign")
    func roundTrip() throws {
        let columns: [[Int64]] = [
            [], [0], [5, 5, 5], [0, 1, 2, 3, 300], [-1, 1, -64, 64, 1 << 40, -(1 << 52)],
            [1000, 1001, 999, 1002],
        ]
        for column in columns {
            #expect(try Self.numbers(PageColumn.object(column), count: column.count) == column)
        }
    }

    @Test("base64 is Foundation's")
    func base64() {
        for count in 0..<20 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 89 + 200) }
            #expect(PageColumn.base64(bytes) == Data(bytes).base64EncodedString())
        }
    }

    /// As the page reads them.
    static func numbers(_ object: JSONObject, count: Int) throws -> [Int64] {
        let parsed = try JSONSerialization.jsonObject(with: Data(object.closed)) as? [String: Any] ?? [:]
        return try numbers(parsed, count: count)
    }

    static func numbers(_ column: [String: Any], count: Int) throws -> [Int64] {
        if let same = column["same"] as? NSNumber { return Array(repeating: same.int64Value, count: count) }
        let isDifference = column["differences"] != nil
        let text = try #require((column["differences"] ?? column["numbers"]) as? String)
        var bytes = try #require(Data(base64Encoded: text))[...]
        var before: Int64 = 0
        var numbers: [Int64] = []
        while !bytes.isEmpty {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while let byte = bytes.popFirst() {
                value |= UInt64(byte & 127) << shift
                shift += 7
                if byte < 128 { break }
            }
            let number = Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
            before = isDifference ? before + number : number
            numbers.append(before)
        }
        return numbers
    }
}
