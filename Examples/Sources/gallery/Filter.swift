/// What is done to a picture before it is shown, one line after the other.
struct Filter: Sendable {
    /// What operations that apply it are called.
    let name: String
    /// Changes one line of the picture.
    let apply: @Sendable (_ bitmap: inout Bitmap, _ line: Int) -> Void

    /// As bright as before, without colour.
    static let grey = Filter(name: "grey") { bitmap, line in
        let first = line * bitmap.bytesPerLine
        for start in stride(from: first, to: first + bitmap.bytesPerLine, by: Bitmap.bytesPerPixel) {
            // The weights of ITU-R BT.601, in parts of 256.
            let brightness =
                (77 * Int(bitmap.bytes[start]) + 150 * Int(bitmap.bytes[start + 1])
                    + 29 * Int(bitmap.bytes[start + 2]) + 128) / 256
            for offset in 0..<Bitmap.bytesPerPixel { bitmap.bytes[start + offset] = UInt8(brightness) }
        }
    }
}
