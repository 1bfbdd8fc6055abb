import Foundation

extension GraphvizRenderer {
    /// Renders an SVG file, whose first element has a width and a height in pixels, as a bitmap with a pixel
    /// for each, or as a PDF of that size. Graphviz reads it with its plugin for librsvg, as the image of a
    /// graph's only node.
    ///
    /// - Throws: `RenderingError`, also if Graphviz was installed without that plugin.
    package static func render(svg: String, format: RenderFormat) throws(RenderingError) -> [UInt8] {
        guard isAvailable else {
            throw RenderingError(.unavailable, "this program was built without Graphviz; \(advice)")
        }
        guard let size = size(ofSVG: svg) else {
            throw RenderingError(.badGraph, "the picture has no size")
        }
        let scale = scale(ofSVG: svg, as: format)
        let folder = FileManager.default.temporaryDirectory.appending(path: "opviz-\(UUID().uuidString)")
        let file = folder.appending(path: "picture.svg")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(svg.utf8).write(to: file)
        } catch {
            throw RenderingError(.failed, "\(file.path) cannot be written: \(error.localizedDescription)")
        }
        do {
            return try render(
                dot: graph(of: file.path, size.width * scale, size.height * scale), format: format)
        } catch {
            throw RenderingError(.failed, "Graphviz could not draw the SVG (\(error.description)); \(advice)")
        }
    }

    /// By how much an SVG file is made smaller to fit into the format; 1 for all but very large bitmaps.
    package static func scale(ofSVG svg: String, as format: RenderFormat) -> Double {
        guard format == .png, let size = size(ofSVG: svg) else { return 1 }
        // Its size in points is rounded up.
        return min(1, (mostPixels - 2) / max(size.width, size.height, 1))
    }

    /// Of a bitmap, in each direction: the limit of Cairo.
    package static let mostPixels = 32_767.0

    private static func size(ofSVG svg: String) -> (width: Double, height: Double)? {
        guard let size = svg.firstMatch(of: /<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"/),
            let width = Double(size.1), let height = Double(size.2)
        else { return nil }
        return (width, height)
    }

    private static let advice = "write a file that ends with .svg: rsvg-convert makes PNG and PDF of it"

    /// Graphviz counts in points, of which 72 are an inch, as are 96 pixels.
    private static func graph(of path: String, _ width: Double, _ height: Double) -> String {
        let path = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let (points, inches) = (0.75, 1.0 / 96)
        return """
            digraph picture {
              graph [layout=nop2, bb="0,0,\(width * points),\(height * points)", pad=0, margin=0]
              node [shape=none, margin=0, label="", fixedsize=true, imagescale=true]
              picture [image="\(path)", width=\(width * inches), height=\(height * inches), \
            pos="\(width * points / 2),\(height * points / 2)"]
            }
            """
    }
}
