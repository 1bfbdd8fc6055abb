import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// What a parser of XML makes of a document.
final class XMLDocumentCheck: NSObject, XMLParserDelegate {
    private(set) var isWellFormed = false
    private(set) var text = ""
    private var elements: [String: Int] = [:]

    init(_ data: Data) {
        super.init()
        let parser = XMLParser(data: data)
        parser.delegate = self
        isWellFormed = parser.parse()
    }

    func count(of element: String, class name: String = "") -> Int { elements["\(element).\(name)"] ?? 0 }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements["\(name).\(attributes["class"] ?? "")", default: 0] += 1
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }
}
