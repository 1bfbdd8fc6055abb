import ArgumentParser
import Inspector

/// The exit statuses of opviz. Help, the manual and Documentation/ExitCodes.md are generated from this.
/// Numbers from 64 on are those of sysexits.h and of shells.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case found = 1
    case inconclusive = 2
    case usage = 64
    case data = 65
    case noInput = 66
    case unavailable = 69
    case software = 70
    case cannotCreate = 73
    case inputOutput = 74
    case deadline = 124
    case programNotRunnable = 126
    case programMissing = 127

    var meaning: String {
        switch self {
        case .done: "success; also for an inconclusive check or findings of lint, without --strict"
        case .found:
            "check: regressed, or a budget is broken; lint --strict: problems were found; doctor: "
                + "operations cannot be recorded"
        case .inconclusive: "check --strict: inconclusive"
        case .usage: "the command line is invalid"
        case .data: "a file is damaged, of a newer version, or of the wrong format"
        case .noInput: "no such file"
        case .unavailable:
            "check --interleave: a command failed; watch --prove: the memory could not be searched"
        case .software: "Graphviz failed; record: a part of opviz is missing"
        case .cannotCreate: "the output cannot be created; record: it cannot listen to the program"
        case .inputOutput: "reading or writing failed, or there was not enough memory"
        case .deadline: "record: the program did not end in time (--deadline, --idle); demo --stuck"
        case .programNotRunnable: "record, doctor, check --interleave: the program cannot be run"
        case .programMissing: "record, doctor, check --interleave: the program was not found"
        }
    }

    var code: ExitCode { ExitCode(rawValue) }

    /// For a terminal, one line each, at most 80 columns wide.
    static let text = allCases.map { status in
        let number = String(status.rawValue)
        let padding = String(repeating: " ", count: 5 - number.count)
        return padding + Prose.wrapped(number + "  " + status.meaning, to: 75, indent: 7)
    }.joined(separator: "\n")

    /// Documentation/ExitCodes.md.
    static let markdown =
        """
        # Exit codes

        `opviz record` exits with the program's status once the program runs. Otherwise:

        | code | |
        |---|---|

        """ + allCases.map { "| \($0.rawValue) | \($0.meaning) |\n" }.joined()
}
