import Foundation

/// Which opviz the plugin runs, and what it says about that.
struct OpvizChoice: Equatable {
    /// The installed opviz that is run; nil if opviz has to be built.
    var installed: URL?
    /// A line of progress.
    var remark: String?
}

/// What the plugin finds on the machine, before it decides.
struct OpvizSurroundings {
    /// The version of the package that the plugin belongs to.
    var version: String
    /// The opviz that a shell would run.
    var installed: URL?
    /// What that one says to `--version`; nil if that fails.
    var installedVersion: String?
    /// The file that the command needs and that is not installed with it.
    var missing: String?
    /// Whether this version has been built already, so that building it again takes seconds.
    var isBuilt = false
    var processors = 1

    /// Minutes of a build in a new project, times processors: 3.5 minutes of CPU time were measured, and not
    /// every part of it runs side by side.
    static let minutesOfProcessors = 5

    func choice() -> OpvizChoice {
        guard let installed else { return build(because: nil) }
        let path = installed.path
        guard let installedVersion else { return build(because: "\(path) does not say its version") }
        guard installedVersion == version else {
            return build(because: "\(path) is \(installedVersion), this package is \(version)")
        }
        if let missing { return build(because: "\(path) cannot record without \(missing)") }
        return OpvizChoice(installed: installed, remark: "using opviz \(version) of \(path)")
    }

    private func build(because reason: String?) -> OpvizChoice {
        let how =
            isBuilt
            ? reason.map { _ in "using the opviz of this package" }
            : "building opviz, \(duration) the first time"
        return OpvizChoice(remark: how.map { (reason.map { "\($0): " } ?? "") + $0 })
    }

    private var duration: String {
        let minutes = max(1, (Self.minutesOfProcessors + processors - 1) / processors)
        return "about \(minutes) \(minutes == 1 ? "minute" : "minutes") on \(processors) "
            + (processors == 1 ? "processor" : "processors")
    }
}

/// The first program of that name in a search path such as `/usr/local/bin:/usr/bin`.
func program(named name: String, in searchPath: String) -> URL? {
    // The plugin does not search folders that depend on the current one: that may come from anybody.
    searchPath.split(separator: ":").lazy.filter { $0.hasPrefix("/") }
        .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) && !$0.isFolder }
}

extension URL {
    fileprivate var isFolder: Bool {
        (try? resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
    }
}
