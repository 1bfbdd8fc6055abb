import ArgumentParser
import Inspector
import ProgramRecording

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says what can be recorded on this machine, and of a program. Linux only.",
        discussion: """
            opviz doctor                   what this machine allows
            opviz doctor ./app             and what can be recorded of this program

            Each no has its reason, and what to do about it. The program does not run: what record loads \
            into it ends it before its main(). The exit code is 0 if operations can be recorded, otherwise 1.
            """)

    @OptionGroup var destination: Destination<SetupReport>

    @Argument(help: "Program to check.", completion: .file())
    var program: String?

    func run() throws {
        try CommandError.reported {
            let program = try program.map { try RecordableProgram([$0]) }
            let output = try destination.open(notOverwriting: program?.path ?? CommandLine.executablePath)
            var groups = [SetupReport.Group(title: "This machine", checks: MachineSetup.checks)]
            if let program, SetupReport(groups: groups).recordsOperations {
                groups.append(.init(title: program.path, checks: try ProgramSetup.checks(program)))
            }
            let report = SetupReport(groups: groups)
            try output.write(report)
            if !report.recordsOperations { throw ExitStatus.found.code }
        }
    }
}
