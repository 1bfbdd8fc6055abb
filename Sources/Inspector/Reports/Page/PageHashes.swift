/// The SHA-256, in base64, of what a page may run and apply: browsers run this script and apply this style,
/// and no other.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
enum PageHashes {
    static let script = "To8uWgQBHU4vh7FgC0SYu2Cbx8noUndfIQIXfKiujfo="
    static let style = "1RA3PIOXV+dhqeScW7hbbTTzXCrRCfCOUUFfDuolyfM="
}
