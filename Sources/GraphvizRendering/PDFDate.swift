/// The creation date that cairo writes into every PDF. It would make two PDFs of the same graph differ.
enum PDFDate {
    private static let key = Array("/CreationDate (D:".utf8)
    private static let fixed = Array("20000101000000".utf8)

    /// The same PDF with its date set to the beginning of 2000. The length stays the same, because a PDF
    /// lists the offset of each of its parts. The length of the time zone stays too: `Z` or `+01'00`.
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
