import ArgumentParser

@main
struct Opviz: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "opviz",
        abstract: "Shows what the operations of a program did: as a picture, and as tables of their timings.",
        discussion: """
            opviz trace.json               draw the graph, into trace.svg beside the trace, and print a summary
            opviz trace.json -o run.png    the same as PNG; also .pdf and .dot, and -o - for standard output
            opviz table trace.json         print timings by kind of operation
            opviz explain trace.json NAME  say why that operation took so long
            opviz critical-path trace.json say what delayed the run, step by step
            opviz whatif trace.json        say what more slots, or faster operations, would give
            opviz lint trace.json          find operations that misbehaved, and what proves it

            opviz record -- ./app          run a program that nobody changed, and trace it

            A program that uses InstrumentedQueue of the library Ops leaves a trace when it runs with
            OPVIZ_TRACE=trace.json in its environment.

            Exit codes: 0 done, 64 usage, 65 the trace is damaged or none, 66 there is no such file, 70 Graphviz
            failed, 73 the output cannot be created, 74 reading or writing failed.
            """,
        version: "0.1.0",
        subcommands: [
            GraphCommand.self, TableCommand.self, ExplainCommand.self, CriticalPathCommand.self,
            WhatIfCommand.self, LintCommand.self, ConvertCommand.self, CompactCommand.self,
            RecordCommand.self,
        ],
        defaultSubcommand: GraphCommand.self)
}
