/// A picture, pixel by pixel.
struct Bitmap: Hashable, Sendable {
    static let bytesPerPixel = 3

    let width: Int
    let height: Int
    /// Red, green and blue of each pixel, line by line from the top.
    var bytes: [UInt8]

    /// A picture with all pixels black.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        bytes = [UInt8](repeating: 0, count: width * height * Self.bytesPerPixel)
    }

    var bytesPerLine: Int { width * Self.bytesPerPixel }
}

extension Bitmap {
    /// The picture of a row. Among 200 rows, all pictures differ, and so do two versions of the same one,
    /// even in grey.
    init(row: Int, version: Int, width: Int, height: Int) {
        self.init(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let start = y * bytesPerLine + x * Self.bytesPerPixel
                bytes[start] = UInt8(truncatingIfNeeded: x &* (2 &* row &+ 3))
                bytes[start + 1] = UInt8(truncatingIfNeeded: y &* (2 &* version &+ 5))
                bytes[start + 2] = UInt8(truncatingIfNeeded: (x ^ y) &* 2 &+ row &* 7)
            }
        }
    }
}
