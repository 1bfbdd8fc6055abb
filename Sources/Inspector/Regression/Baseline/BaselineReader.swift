import Foundation

/// Reads a baseline from a file. Like a trace, the file is untrusted: any bytes give a baseline, or an error
/// with a position.
public struct BaselineReader: Sendable {
    /// A thousand times the size of a baseline with ten runs.
    private static let largestFile = 64 << 20
    /// The identifying word is in the first bytes, even if a tool has sorted the members.
    private static let recognizedWithin = 4096

    /// The file's path for errors.
    public let path: String

    /// Does not open the file; ``read()`` does.
    public init(path: String) { self.path = path }

    /// Whether the file is marked as a baseline. False without a file.
    package func isBaseline() -> Bool {
        guard let file = FileHandle(forReadingAtPath: path),
            let start = try? file.read(upToCount: Self.recognizedWithin)
        else { return false }
        return String(decoding: start, as: UTF8.self).contains(#/"format"\s*:\s*"opviz-baseline"/#)
    }

    /// - Throws: `TraceError` with the position of the error.
    public func read() throws(TraceError) -> Baseline {
        guard let file = FileHandle(forReadingAtPath: path),
            // Reads no more than this, however large the file is.
            let data = try? file.read(upToCount: Self.largestFile + 1) ?? Data()
        else {
            let isThere = access(path, F_OK) == 0
            throw TraceError(
                isThere ? .unreadable : .noSuchFile, path: path,
                reason: isThere ? "cannot be read" : "no such file")
        }
        guard data.count <= Self.largestFile else {
            throw TraceError(.tooLarge, path: path, reason: "is larger than 64 MiB, the limit for baselines")
        }
        return try read(Array(data))
    }

    /// Reads bytes in memory; `path` is their name for errors.
    package func read(_ bytes: [UInt8]) throws(TraceError) -> Baseline {
        do {
            return try Self.baseline(try JSONParser.parse(bytes), path)
        } catch let problem as JSONValue.Problem {
            throw TraceError(.notABaseline, path: path, offset: problem.offset, reason: problem.reason)
        } catch let error as TraceError {
            throw error
        } catch {
            throw TraceError(.notABaseline, path: path, reason: "\(error)")
        }
    }

    private static func baseline(_ json: JSONValue, _ path: String) throws -> Baseline {
        let format = try json["format"]
        guard try format.text() == Baseline.format else {
            throw JSONValue.Problem(offset: format.offset, reason: "expected \"\(Baseline.format)\"")
        }
        let version = try json["version"].count()
        guard version <= Baseline.currentVersion else {
            throw TraceError(
                .newerVersion, path: path,
                reason: "is a baseline of version \(version), but this opviz reads up to version "
                    + "\(Baseline.currentVersion); use a newer opviz")
        }
        let date = try json["date"]
        guard Baseline.isDay(try date.text()) else {
            throw JSONValue.Problem(offset: date.offset, reason: "expected a date such as 2026-11-21")
        }
        let runs = try json["runs"].list().map { try RunTimings($0) }
        guard !runs.isEmpty else {
            throw JSONValue.Problem(offset: try json["runs"].offset, reason: "expected at least one run")
        }
        return Baseline(
            runs: runs, label: try json.object()["label"]?.text(), date: try date.text(),
            omittedKinds: Int(try json["omittedKinds"].count()))
    }
}
