/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "FTcLl1MXt1yhuahy8ahoq+CB06KviNjA14xTIbsrXl4="
    package static let style = "57JY9mh37SzRvnLBiOEu+CE0PAQPGO1WQzj3HunybQI="
}
