import CPNG
import Foundation

extension Bitmap {
    /// More pixels than this are refused before there is memory for them.
    private static let largestSide = 4096

    /// Decodes a PNG of any kind.
    init(png: Data) throws {
        var image = png_image()
        // libpng keeps the pointer from one call to the next.
        self = try withUnsafeMutablePointer(to: &image) { image in
            image.pointee.version = png_uint_32(PNG_IMAGE_VERSION)
            defer { png_image_free(image) }
            return try png.withUnsafeBytes { png in
                try Self.decode(png, with: image)
            }
        }
    }

    private static func decode(
        _ png: UnsafeRawBufferPointer, with image: UnsafeMutablePointer<png_image>
    ) throws -> Bitmap {
        guard png_image_begin_read_from_memory(image, png.baseAddress, png.count) != 0 else {
            throw PNGFailure(image)
        }
        let (width, height) = (Int(image.pointee.width), Int(image.pointee.height))
        guard max(width, height) <= largestSide else {
            throw PNGFailure("its size is \(width) × \(height)")
        }
        image.pointee.format = PNG_FORMAT_RGB
        var bitmap = Bitmap(width: width, height: height)
        guard png_image_finish_read(image, nil, &bitmap.bytes, png_int_32(bitmap.bytesPerLine), nil) != 0
        else { throw PNGFailure(image) }
        return bitmap
    }

    /// Encodes it as a PNG.
    func png() throws -> Data {
        var image = png_image()
        return try withUnsafeMutablePointer(to: &image) { image in
            image.pointee.version = png_uint_32(PNG_IMAGE_VERSION)
            image.pointee.width = png_uint_32(width)
            image.pointee.height = png_uint_32(height)
            image.pointee.format = PNG_FORMAT_RGB
            defer { png_image_free(image) }
            // Asked for the size first.
            var size = png_alloc_size_t()
            guard write(to: nil, &size, image) else { throw PNGFailure(image) }
            var png = Data(count: Int(size))
            guard png.withUnsafeMutableBytes({ write(to: $0.baseAddress, &size, image) }) else {
                throw PNGFailure(image)
            }
            return png.prefix(Int(size))
        }
    }

    private func write(
        to memory: UnsafeMutableRawPointer?, _ size: inout png_alloc_size_t,
        _ image: UnsafeMutablePointer<png_image>
    ) -> Bool {
        png_image_write_to_memory(image, memory, &size, 0, bytes, png_int_32(bytesPerLine), nil) != 0
    }
}

/// Why data is not a PNG picture.
struct PNGFailure: Error, CustomStringConvertible {
    let description: String

    init(_ reason: String) { description = "not a picture: \(reason)" }

    /// Takes the reason from libpng.
    init(_ image: UnsafePointer<png_image>) {
        self.init(
            withUnsafeBytes(of: image.pointee.message) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            })
    }
}
