import Foundation
import Testing

@testable import gallery

@Suite("Pictures")
struct PictureTests {
    private static let picture = Bitmap(row: 3, version: 1, width: 24, height: 16)

    @Test("pictures are the same after they were encoded and decoded, pixel by pixel")
    func roundTrip() throws {
        #expect(try Bitmap(png: Self.picture.png()) == Self.picture)
    }

    @Test("pictures of another program are decoded: with a palette, and one pixel red, one blue")
    func foreignPicture() throws {
        let png = try #require(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAMAAADD/I+4AAAABlBMVEX/AAAAAP9sof2O"
                    + "AAAAC0lEQVR4nGNgYAQAAAQAAr96P0oAAAAASUVORK5CYII="
            ))
        let bitmap = try Bitmap(png: png)
        #expect((bitmap.width, bitmap.height) == (2, 1))
        #expect(bitmap.bytes == [255, 0, 0, 0, 0, 255])
    }

    @Test("pictures that are cut off anywhere are an error with a reason")
    func cutOff() throws {
        let png = try Self.picture.png()
        // The last twelve bytes say only that this is the end.
        for length in 0..<(png.count - 12) {
            #expect(throws: PNGFailure.self) { try Bitmap(png: png.prefix(length)) }
        }
        #expect(throws: PNGFailure.self) { try Bitmap(png: Data("<html>".utf8)) }
    }

    @Test("pictures that say they are huge are refused before there is memory for them")
    func huge() throws {
        let png = try Bitmap(width: 5000, height: 1).png()
        let failure = #expect(throws: PNGFailure.self) { try Bitmap(png: png) }
        #expect(failure?.description == "not a picture: its size is 5000 × 1")
    }

    @Test(
        "pictures turn grey by the weights of the eye",
        arguments: [
            ([0, 0, 0], 0), ([255, 255, 255], 255), ([255, 0, 0], 77), ([0, 255, 0], 149), ([0, 0, 255], 29),
            ([10, 20, 30], 18),
        ] as [([UInt8], UInt8)])
    func weights(color: [UInt8], brightness: UInt8) {
        var bitmap = Bitmap(width: 2, height: 2)
        bitmap.bytes = color + color + color + color
        Filter.grey.apply(&bitmap, 1)
        #expect(bitmap.bytes == color + color + [UInt8](repeating: brightness, count: 6))
    }

    @Test("pictures differ from row to row and from version to version, also in grey")
    func distinct() {
        var seen: Set<Bitmap> = []
        for row in 0..<200 {
            for version in 1...5 {
                var bitmap = Bitmap(row: row, version: version, width: 24, height: 16)
                for line in 0..<bitmap.height { Filter.grey.apply(&bitmap, line) }
                seen.insert(bitmap)
            }
        }
        #expect(seen.count == 200 * 5)
    }
}
