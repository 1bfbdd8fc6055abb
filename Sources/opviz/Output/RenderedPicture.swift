import GraphvizRendering
import Inspector

/// A report that is drawn as SVG, and with Graphviz's help as PNG and PDF as well.
struct RenderedPicture<Report: Writable & SendableMetatype> {
    let report: Report
}

extension RenderedPicture: Writable {
    static var renderers: [Renderer<RenderedPicture>] {
        Report.renderers.map { renderer in
            let render = renderer.render
            return Renderer(
                renderer.format,
                rendering: { picture, style in
                    let rendering = try render(picture.report, style)
                    return .init(notes: rendering.notes, write: rendering.write)
                })
        } + [rendered(.png, as: .png), rendered(.pdf, as: .pdf)]
    }

    private static func notes(_ svg: String, _ format: RenderFormat) -> [String] {
        let scale = GraphvizRenderer.scale(ofSVG: svg, as: format)
        if scale == 1 { return [] }
        let most = Prose.grouped(Int(GraphvizRenderer.mostPixels))
        return [
            "the picture has \(Int(scale * 100)) % of its size, because a bitmap has at most \(most) pixels "
                + "in each direction; .svg and .pdf have the full size"
        ]
    }

    private static func rendered(
        _ format: OutputFormat, as graphviz: RenderFormat
    ) -> Renderer<RenderedPicture> {
        let draw = Report.renderer(of: .svg).render
        return Renderer(
            format,
            rendering: { picture, style in
                let drawing = try draw(picture.report, style)
                let svg = String(decoding: try [UInt8](pieces: drawing.write), as: UTF8.self)
                return .init(notes: drawing.notes + notes(svg, graphviz)) { emit in
                    emit(try GraphvizRenderer.render(svg: svg, format: graphviz))
                }
            })
    }
}
