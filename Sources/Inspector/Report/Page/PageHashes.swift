/// The SHA-256, in base64, of what a page may run and apply: browsers run this script and apply this style, and no other.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
enum PageHashes {
    static let script = "AGUe/Y9H7W1miB/anliuXho6j2JLExBK/7tk6+n/bzs="
    static let style = "OXlUcltcF8UzaCUhrCzqipzpcYytHqxOKynpyuKd1eE="
}
