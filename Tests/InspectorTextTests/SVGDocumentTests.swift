import TestTraces
import Testing

@testable import InspectorText

@Suite struct SVGDocumentTests {
    @Test("numbers have at most two decimals, in any locale")
    func numbers() {
        let texts: [(Double, String)] = [
            (0, "0"), (1, "1"), (1.5, "1.5"), (1.25, "1.25"), (0.05, "0.05"), (-0.5, "-0.5"), (-0.001, "0"),
            (1234567.891, "1234567.89"), (.nan, "0"), (.infinity, "0"), (1e300, "0"),
        ]
        for (value, text) in texts { #expect(SVGDocument.number(value) == text) }
    }

    @Test("texts are cut to what certainly fits, and left out if too little is left")
    func widths() {
        #expect(SVGTextWidth.fitting("download", pixels: 100, size: 10) == "download")
        #expect(SVGTextWidth.fitting("download page 7", pixels: 80, size: 10).hasSuffix("…"))
        #expect(SVGTextWidth.fitting("download page 7", pixels: 20, size: 10) == "")
        #expect(SVGTextWidth.fittingAtBothEnds("download", pixels: 100, size: 10) == "download")
        #expect(SVGTextWidth.fittingAtBothEnds("download page 7", pixels: 20, size: 10) == "")
        let names = ["main", "index"].map {
            SVGTextWidth.fittingAtBothEnds("org.swift.swiftpm.\($0)", pixels: 106, size: 11, isBold: true)
        }
        #expect(names == ["org.sw….main", "org.sw….index"])
        #expect(
            SVGTextWidth.pixels("日本", size: 10) > SVGTextWidth.pixels("ab", size: 10),
            "wide characters are wider")
    }
}
