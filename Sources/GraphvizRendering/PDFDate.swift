/// The moment of its writing that cairo puts into every PDF, and that would make each of the same graph
/// another.
enum PDFDate {
    private static let key = Array("/CreationDate (D:".utf8)
    private static let fixed = Array("20000101000000".utf8)

    /// The same PDF as if it had been written at the beginning of 2000. It keeps its length, because a PDF
    /// tells at which byte each of its parts begins; that of the time zone is how long the zone is written,
    /// `Z` or `+01'00`.
    static func removed(from pdf: [UInt8]) -> [UInt8] {
        var pdf = pdf
        for start in pdf.indices where pdf[start] == key[0] && pdf[start...].starts(with: key) {
            var position = start + key.count
            let first = position
            while position < pdf.count {
                switch pdf[position] {
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    let digit = position - first
                    pdf[position] = digit < fixed.count ? fixed[digit] : UInt8(ascii: "0")
                case UInt8(ascii: "-"): pdf[position] = UInt8(ascii: "+")
                case UInt8(ascii: "+"), UInt8(ascii: "'"), UInt8(ascii: "Z"): break
                default: position = pdf.count
                }
                position += 1
            }
        }
        return pdf
    }
}
