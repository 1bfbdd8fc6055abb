/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "W4bfz2tFt8Q2wKqaf18YV/KZ0zs+91PJ5Bs0o5URizM="
    package static let style = "51ItwER9wtpSoMSyb+XBKDScqOxbwXulEvUCZpX5S+Y="
}
